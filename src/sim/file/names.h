// Names that a scenario gives, and references to them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/reader.h"

namespace sluice::sim {

// The names given by the keys of this map: letters, digits and . _ - : @ +.
std::vector<std::string> free_names(const config::Fields& f, std::string_view placeholder);

// Throws at `key` unless one of the things is called `name`; `what` they are completes the error:
// "model". Nothing when there is nothing to be read, only to be described.
std::optional<std::size_t> index_named(const config::Fields& f, std::string_view key,
                                       const std::vector<std::string>& names,
                                       const std::string& name, std::string_view what);

template <class Thing>
std::vector<std::string> names_of(const std::vector<Thing>& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const Thing& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace sluice::sim
