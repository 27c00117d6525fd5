#include "model_server/tensor.h"

#include <array>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice::model_server {
namespace {

static_assert(std::endian::native == std::endian::little, "binary tensors are little-endian");

struct TypeRow {
  std::string_view name;
  std::size_t bytes;
};

// Indexed by DataType.
constexpr std::array<TypeRow, 4> kTypes{{{"UINT8", 1}, {"INT32", 4}, {"INT64", 8}, {"FP32", 4}}};

const TypeRow& row_of(DataType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace

std::optional<DataType> data_type_of(std::string_view name) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<DataType>(i);
  }
  return std::nullopt;
}

std::string_view name_of(DataType type) {
  return row_of(type).name;
}

std::size_t bytes_of(DataType type) {
  return row_of(type).bytes;
}

std::string to_string(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

std::optional<std::size_t> element_count(const Shape& shape, std::size_t limit) {
  std::size_t count = 1;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    // Divided, not multiplied: a product of hostile dimensions may overflow.
    const auto size = static_cast<std::size_t>(dimension);
    if (size != 0 && count > limit / size) return std::nullopt;
    count *= size;
  }
  return count;
}

}  // namespace sluice::model_server
