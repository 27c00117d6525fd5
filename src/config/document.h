// A YAML file as a plain tree, in which everything knows its line.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sluice::config {

inline constexpr std::size_t kFileLimitBytes = std::size_t{1} << 20;
inline constexpr std::size_t kDepthLimit = 16;

// A scalar keeps its text as written: what it means, the reader of its key knows.
struct Value {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  int line = 0;              // from 1
  std::string text;          // of a scalar
  std::vector<Value> items;  // of a list; of a map, in the order of the file, each with its key
  std::string key;           // in its map; empty elsewhere
  int key_line = 0;
  // The file it was taken from, when that is not the document's own (overlay.h); else null.
  std::shared_ptr<const std::string> file;
};

// A document together with the name that errors call it by.
struct Document {
  std::string file;
  Value root;
};

// Both throw ConfigError for what cannot be read, is no YAML, is larger or deeper than the limits
// above, has a key twice, or uses what a configuration does not need: anchors, aliases, tags,
// several documents. O(size · log size).
Document load_document(const std::string& path);
Document parse_document(const std::string& text, std::string file);

}  // namespace sluice::config
