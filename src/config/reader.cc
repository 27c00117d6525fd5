#include "config/reader.h"

#include <algorithm>

#include "config/nearest.h"

namespace sluice::config {
namespace {

std::string_view name_of(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::kNull:
      return "nothing";
    case Value::Kind::kScalar:
      return "a single value";
    case Value::Kind::kList:
      return "a list";
    case Value::Kind::kMap:
      return "a map";
  }
  return "";
}

// What is wrong with a value of the wrong shape.
std::string wrong_shape(const Value& value, std::string_view wanted) {
  return std::string(name_of(value.kind)) + " where " + std::string(wanted) + " belongs";
}

const Value* member(const Value& map, std::string_view key) {
  const auto found = std::find_if(map.items.begin(), map.items.end(),
                                  [&](const Value& item) { return item.key == key; });
  return found == map.items.end() ? nullptr : &*found;
}

std::string join(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

}  // namespace

void Fields::map(std::string_view key, std::string_view text, const Body& body) {
  describe_nested(key, path(key), "map", "see below");
  nested(find(key), path(key), text, body);
}

void Fields::required_map(std::string_view key, std::string_view text, const Body& body) {
  describe_nested(key, path(key), "map", "required");
  nested(find(key, true), path(key), text, body);
}

std::vector<std::string> Fields::free_keys(std::string_view placeholder) const {
  if (map_ == nullptr) return {std::string(placeholder)};
  if (map_->items.size() > kFreeKeysLimit) {
    throw ConfigError(file_of(*map_), map_->line, path_,
                      "more than " + std::to_string(kFreeKeysLimit) + " keys");
  }
  std::vector<std::string> keys;
  for (const Value& item : map_->items) {
    if (!is_known(item.key)) keys.push_back(item.key);
  }
  return keys;
}

bool Fields::has(std::string_view key) const {
  return map_ != nullptr && member(*map_, key) != nullptr;
}

void Fields::fail(std::string_view key, std::string_view message) const {
  if (map_ == nullptr || !missing_.empty()) return;
  const Value* value = member(*map_, key);
  if (value == nullptr) throw ConfigError(file_of(*map_), map_->line, path(key), message);
  throw ConfigError(file_of(*value), value->key_line, path(key), message);
}

void Fields::describe(std::string_view key, std::string_view kind, std::string_view bounds,
                      std::string_view fallback, std::string_view text) {
  known_.emplace_back(key);
  if (docs_ == nullptr) return;
  (*docs_)[section_].keys.push_back({.name = std::string(key),
                                     .kind = std::string(kind),
                                     .bounds = std::string(bounds),
                                     .fallback = std::string(fallback),
                                     .text = std::string(text)});
}

void Fields::describe_nested(std::string_view key, const std::string& at, std::string_view kind,
                             std::string_view fallback) {
  describe(key, kind, "", fallback, "See `" + at + "` below");
}

void Fields::require_scalar(const Value& value, const std::string& at, std::string_view kind,
                            std::string_view example) const {
  if (value.kind == Value::Kind::kScalar) return;
  std::string message = wrong_shape(value, kind);
  if (!example.empty()) message.append("; write ").append(example);
  throw ConfigError(file_of(value), value.line, at, message);
}

void Fields::refuse(const Value& value, const std::string& at, std::string_view what,
                    std::string_view instead) const {
  constexpr std::size_t kQuotedBytes = 80;
  std::string message = '"' + value.text.substr(0, kQuotedBytes);
  message.append(value.text.size() > kQuotedBytes ? "…\" " : "\" ").append(what);
  if (!instead.empty()) message.append("; write ").append(instead);
  throw ConfigError(file_of(value), value.line, at, message);
}

const std::string& Fields::file_of(const Value& value) const {
  return value.file != nullptr ? *value.file : file_;
}

bool Fields::is_known(const std::string& key) const {
  return std::find(known_.begin(), known_.end(), key) != known_.end();
}

const Value* Fields::find(std::string_view key, bool is_required) {
  if (map_ == nullptr || !missing_.empty()) return nullptr;
  const Value* value = member(*map_, key);
  if (value == nullptr && is_required) missing_ = key;
  return value;
}

const Value* Fields::find_list(std::string_view key, bool is_required) {
  const Value* value = find(key, is_required);
  if (value == nullptr) return nullptr;
  if (value->kind != Value::Kind::kList) {
    throw ConfigError(file_of(*value), value->line, path(key), wrong_shape(*value, "a list"));
  }
  if (is_required && value->items.empty()) {
    throw ConfigError(file_of(*value), value->line, path(key),
                      "is empty; it needs at least one item");
  }
  return value;
}

void Fields::nested(const Value* value, const std::string& at, std::string_view text,
                    const Body& body) {
  if (value == nullptr && docs_ == nullptr) return;
  if (value != nullptr && value->kind != Value::Kind::kMap) {
    throw ConfigError(file_of(*value), value->line, at,
                      wrong_shape(*value, "a map of keys and values"));
  }
  Fields inner(file_, value, at, docs_);
  if (docs_ != nullptr) {
    inner.section_ = docs_->size();
    docs_->push_back({.path = at, .text = std::string(text)});
  }
  body(inner);
  inner.finish();
}

void Fields::finish() const {
  if (map_ == nullptr) return;
  for (const Value& item : map_->items) {
    if (is_known(item.key)) continue;
    std::string message = "unknown key";
    if (const auto meant = nearest(item.key, known_)) message += " (did you mean " + *meant + "?)";
    throw ConfigError(file_of(item), item.key_line, path(item.key),
                      message + "; allowed: " + join(known_));
  }
  if (!missing_.empty()) {
    throw ConfigError(file_of(*map_), map_->line, path(missing_), "is required, but not there");
  }
}

std::string Fields::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

std::string Fields::item_path(std::string_view key, std::size_t index) const {
  return path(key) + "[" + std::to_string(index) + "]";
}

void read_document(const Document& document, const Fields::Body& body) {
  if (document.root.kind == Value::Kind::kNull) {
    throw ConfigError(document.file, 0, "", "is empty");
  }
  Fields outside(document.file, nullptr, "", nullptr);
  outside.nested(&document.root, "", "", body);
}

Docs describe_document(std::string_view text, const Fields::Body& body) {
  const std::string no_file;
  Docs docs;
  Fields outside(no_file, nullptr, "", &docs);
  outside.nested(nullptr, "", text, body);
  return docs;
}

}  // namespace sluice::config
