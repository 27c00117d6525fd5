#include "config/overlay.h"

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace sluice::config {
namespace {

// Deeper calls end at kDepthLimit.
void stamp(Value& value, const std::shared_ptr<const std::string>& file) {
  if (value.file == nullptr) value.file = file;
  for (Value& item : value.items) stamp(item, file);
}

Value merge(Value base, Value over) {
  if (base.kind != Value::Kind::kMap || over.kind != Value::Kind::kMap) return over;
  std::unordered_map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < base.items.size(); ++i) positions.emplace(base.items[i].key, i);
  std::vector<Value> merged(base.items.size());
  for (Value& item : over.items) {
    const auto found = positions.find(item.key);
    if (found == positions.end()) {
      merged.push_back(std::move(item));
    } else {
      merged[found->second] = merge(std::move(base.items[found->second]), std::move(item));
    }
  }
  for (std::size_t i = 0; i < base.items.size(); ++i) {
    if (merged[i].key_line == 0) merged[i] = std::move(base.items[i]);
  }
  over.items = std::move(merged);
  return over;
}

}  // namespace

Value overlay(Document base, Value over) {
  stamp(base.root, std::make_shared<const std::string>(std::move(base.file)));
  return merge(std::move(base.root), std::move(over));
}

}  // namespace sluice::config
