// The kinds of scalar values a key can have: how they are written, and within which bounds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

namespace sluice::config {

template <class T>
struct Kind {
  std::string name;     // completes `"fast" is not …`: "a duration"
  std::string example;  // completes "write …"; empty: the name says it all
  std::string bounds;   // "1ms to 1h"; empty: none
  // Nothing: not of this kind.
  std::function<std::optional<T>(std::string_view)> parse;
  std::function<bool(const T&)> within;
  std::function<std::string(const T&)> format;
};

// Bounds are inclusive everywhere.
Kind<Duration> duration(Duration least, Duration most);
Kind<double> rate(double least, double most);
Kind<double> share();  // 0 to 1
Kind<std::uint64_t> bytes(std::uint64_t least, std::uint64_t most);
Kind<double> number(double least, double most);
Kind<bool> flag();
// Not empty, at most 256 bytes, no control characters.
Kind<std::string> text();

// A whole number, for any unsigned type that holds `most`.
Kind<std::uint64_t> count(std::uint64_t least, std::uint64_t most);

// What callers, metrics and logs call something by: letters, digits and . _ - : @ +, at most 128.
Kind<std::string> name();

// "one of high, medium, low"
std::string list_names(std::span<const std::string_view> names);

// An enumeration whose values are the positions of their names.
template <class E>
Kind<E> one_of(std::span<const std::string_view> names) {
  std::vector<std::string_view> known(names.begin(), names.end());
  return {
      list_names(names),
      "",
      "",
      [known](std::string_view text) -> std::optional<E> {
        const auto found = std::find(known.begin(), known.end(), text);
        if (found == known.end()) return std::nullopt;
        return static_cast<E>(found - known.begin());
      },
      [](const E&) { return true; },
      [known](const E& value) { return std::string(known.at(static_cast<std::size_t>(value))); }};
}

// Of the kind, or one word that stands for no value: "none", "*".
template <class T>
Kind<std::optional<T>> or_word(const Kind<T>& kind, const std::string& word) {
  return {
      .name = kind.name + " or \"" + word + "\"",
      .example = kind.example,
      .bounds = kind.bounds,
      .parse = [kind, word](std::string_view text) -> std::optional<std::optional<T>> {
        std::optional<T> value;
        if (text != word && !(value = kind.parse(text))) return std::nullopt;
        return std::optional<std::optional<T>>(std::in_place, std::move(value));
      },
      .within = [kind](const std::optional<T>& value) { return !value || kind.within(*value); },
      .format = [kind, word](
                    const std::optional<T>& value) { return value ? kind.format(*value) : word; }};
}

}  // namespace sluice::config
