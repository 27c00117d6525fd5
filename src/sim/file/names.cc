#include "sim/file/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "config/kind.h"
#include "config/nearest.h"

namespace sluice::sim {
namespace {

// So that an error stays readable.
constexpr std::size_t kListed = 12;

std::string known(const std::vector<std::string>& names) {
  const std::vector<std::string> listed(names.begin(),
                                        names.begin() + std::min(names.size(), kListed));
  return fmt::format("{}{}", fmt::join(listed, ", "), names.size() > kListed ? ", …" : "");
}

}  // namespace

std::vector<std::string> free_names(const config::Fields& f, std::string_view placeholder) {
  const auto kind = config::name();
  std::vector<std::string> names = f.free_keys(placeholder);
  for (const std::string& name : names) {
    if (!kind.parse(name)) f.fail(name, "is not a name; write " + kind.example);
  }
  return names;
}

std::optional<std::size_t> index_named(const config::Fields& f, std::string_view key,
                                       const std::vector<std::string>& names,
                                       const std::string& name, std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string message = fmt::format("no {} is called \"{}\"", what, name);
  if (const auto meant = config::nearest(name, names)) message += " (did you mean " + *meant + "?)";
  f.fail(key, message + "; known: " + known(names));
  return std::nullopt;
}

}  // namespace sluice::sim
