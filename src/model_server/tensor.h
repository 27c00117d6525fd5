// Tensors as the Open Inference Protocol v2 writes them down.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::model_server {

// The element types that the shipped models use; the protocol has more.
enum class DataType : std::uint8_t { kUint8, kInt32, kInt64, kFp32 };

// "FP32" and the like; nullopt for a name that is not one of ours.
std::optional<DataType> data_type_of(std::string_view name);
std::string_view name_of(DataType type);
std::size_t bytes_of(DataType type);

// Dimensions, outermost first. In a TensorSpec -1 stands for "any size".
using Shape = std::vector<std::int64_t>;

// "[1,3,48,192]".
std::string to_string(const Shape& shape);

// The number of elements; nullopt when a dimension is negative or the product exceeds `limit`.
std::optional<std::size_t> element_count(const Shape& shape, std::size_t limit);

// What a model takes or gives.
struct TensorSpec {
  std::string name;
  DataType type = DataType::kFp32;
  Shape shape;
};

// A tensor with its elements: row major, in the machine's (little-endian) byte order, which is
// also the order of the binary tensor extension. data.size() = element count × bytes_of(type).
struct Tensor {
  std::string name;
  DataType type = DataType::kFp32;
  Shape shape;
  std::vector<std::byte> data;
};

}  // namespace sluice::model_server
