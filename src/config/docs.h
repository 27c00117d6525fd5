// What a reader of a file says of its keys, and that as Markdown.
#pragma once

#include <string>
#include <vector>

namespace sluice::config {

struct DocumentedKey {
  std::string name;
  std::string kind;
  std::string bounds;    // empty: none
  std::string fallback;  // the default as it would be written, "required" or what absence means
  std::string text;
};

// One map: the whole document, or one inside it.
struct DocumentedMap {
  std::string path;  // "replicas[].health"; empty: the document
  std::string text;
  std::vector<DocumentedKey> keys;
};

// Maps in the order in which they are read, the document first.
using Docs = std::vector<DocumentedMap>;

// One heading and one table a map, headings from `level` on.
std::string to_markdown(const Docs& docs, int level = 2);

}  // namespace sluice::config
