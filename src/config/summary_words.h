// Words that summaries are made of.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace sluice::config {

template <class T, class Format>
std::string or_else(const std::optional<T>& value, Format format, std::string_view absent) {
  return value ? std::string(format(*value)) : std::string(absent);
}

template <std::size_t N, class E>
std::string name_of(const std::array<std::string_view, N>& names, E value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

inline std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace sluice::config
