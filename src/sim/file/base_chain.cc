#include "sim/file/base_chain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "config/error.h"
#include "config/overlay.h"
#include "sim/scenario_file.h"

namespace sluice::sim {
namespace {

using config::ConfigError;
using config::Document;
using config::Value;
namespace fs = std::filesystem;

const Value* member(const Value& map, std::string_view key) {
  const auto found = std::find_if(map.items.begin(), map.items.end(),
                                  [&](const Value& item) { return item.key == key; });
  return found == map.items.end() ? nullptr : &*found;
}

void remove(Value& map, std::string_view key) {
  std::erase_if(map.items, [&](const Value& item) { return item.key == key; });
}

// A path that a file has one of only, whatever leads to it.
std::string identity(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

std::string base_path(const Document& document, const Value& base) {
  if (base.kind != Value::Kind::kScalar || base.text.empty()) {
    throw ConfigError(document.file, base.key_line, "base", "is not the path of a file");
  }
  const fs::path path = fs::path(document.file).parent_path() / base.text;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw ConfigError(
        document.file, base.key_line, "base",
        fmt::format("{} is not a file; the path is relative to this one", path.string()));
  }
  return path.string();
}

// What must not be mixed: the traffic of one with that of the other.
void make_room(Value& base, const Value& over) {
  remove(base, "name");
  const Value* said = member(over, "traffic");
  const auto traffic = std::find_if(base.items.begin(), base.items.end(),
                                    [](const Value& item) { return item.key == "traffic"; });
  if (said == nullptr || traffic == base.items.end()) return;
  if (member(*said, "phases") != nullptr) remove(*traffic, "streams");
  if (member(*said, "streams") != nullptr) remove(*traffic, "phases");
}

// `seen`: the files that stand on this one, and itself.
Document with_bases(Document document, std::vector<std::string>& seen) {
  const Value* named = member(document.root, "base");
  if (named == nullptr) return document;
  const int line = named->key_line;
  const std::string path = base_path(document, *named);
  const bool circles = std::find(seen.begin(), seen.end(), identity(path)) != seen.end();
  seen.push_back(identity(path));
  if (circles) {
    throw ConfigError(document.file, line, "base",
                      fmt::format("goes round in a circle: {}", fmt::join(seen, " stands on ")));
  }
  if (seen.size() > kBaseLimit + 1) {
    throw ConfigError(document.file, line, "base",
                      fmt::format("more than {} files on top of each other", kBaseLimit));
  }
  Document base = with_bases(config::load_document(path), seen);
  make_room(base.root, document.root);
  document.root = config::overlay(std::move(base), std::move(document.root));
  return document;
}

}  // namespace

Document with_bases(Document document) {
  std::vector<std::string> seen{identity(document.file)};
  return with_bases(std::move(document), seen);
}

}  // namespace sluice::sim
