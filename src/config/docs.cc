#include "config/docs.h"

#include <string_view>

namespace sluice::config {
namespace {

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string row(const DocumentedKey& key) {
  std::string kind = key.kind;
  if (!key.bounds.empty()) kind += ", " + key.bounds;
  return "| `" + key.name + "` | " + cell(kind) + " | " + cell(key.fallback) + " | " +
         cell(key.text) + " |\n";
}

}  // namespace

std::string to_markdown(const Docs& docs, int level) {
  std::string out;
  for (const DocumentedMap& map : docs) {
    if (!map.path.empty()) {
      out += "\n" + std::string(static_cast<std::size_t>(level), '#') + " `" + map.path + "`\n";
    }
    if (!map.text.empty()) out += "\n" + map.text + ".\n";
    out += "\n| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const DocumentedKey& key : map.keys) out += row(key);
  }
  return out;
}

}  // namespace sluice::config
