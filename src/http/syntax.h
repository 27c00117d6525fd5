// Which bytes may stand where (RFC 9110, 5.6; RFC 3986), and the words and lists made of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sluice::http {

// One bit a class, one table for all: a look-up and a mask a byte.
enum ByteClass : std::uint8_t {
  kTokenByte = 1,   // of names, methods and other words
  kTextByte = 2,    // visible, space, tab, and everything from 0x80 on
  kTargetByte = 4,  // of paths and queries, the percent sign included
  kHostByte = 8,    // of names and IPv4 addresses
};

namespace detail {

constexpr std::array<std::uint8_t, 256> byte_classes() {
  std::array<std::uint8_t, 256> table{};
  const auto add = [&table](std::string_view bytes, unsigned classes) {
    for (const char c : bytes) table[static_cast<unsigned char>(c)] |= classes;
  };
  for (std::size_t c = 0x20; c < 0x100; ++c) table[c] = c == 0x7f ? 0 : kTextByte;
  add("\t", kTextByte);
  add("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~",
      kTokenByte | kTargetByte | kHostByte);
  add("!#$%&'*+^`|", kTokenByte);
  add(":/?@!$&'()*+,;=%[]", kTargetByte);
  return table;
}

inline constexpr std::array<std::uint8_t, 256> kByteClasses = byte_classes();

}  // namespace detail

constexpr bool is(ByteClass wanted, char c) {
  return (detail::kByteClasses[static_cast<unsigned char>(c)] & wanted) != 0;
}

// How many bytes at the beginning of `text` are of the class.
constexpr std::size_t run_of(ByteClass wanted, std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && is(wanted, text[i])) ++i;
  return i;
}

// Not empty, and of nothing else.
constexpr bool all_of(ByteClass wanted, std::string_view text) {
  return !text.empty() && run_of(wanted, text) == text.size();
}

// Whether one of the eight bytes at `at` is no text, or a tab.
inline bool has_odd_byte(const char* at) {
  constexpr std::uint64_t kOnes = ~std::uint64_t{0} / 255;
  constexpr std::uint64_t kTops = kOnes * 0x80;
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  const std::uint64_t no_delete = word ^ kOnes * 0x7f;
  const std::uint64_t below_space = (word - kOnes * 0x20) & ~word;
  const std::uint64_t is_delete = (no_delete - kOnes) & ~no_delete;
  return ((below_space | is_delete) & kTops) != 0;
}

// No control byte but tab. Values are most of a head: eight bytes at a time, the last eight
// overlapping those before them; what is odd there is told apart one by one.
inline bool is_text(std::string_view text) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  bool odd = text.size() < kWord;
  for (std::size_t i = 0; !odd && i + kWord < text.size(); i += kWord) {
    odd = has_odd_byte(text.data() + i);
  }
  odd = odd || has_odd_byte(text.data() + text.size() - kWord);
  return !odd || run_of(kTextByte, text) == text.size();
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// 0 … 15, or -1.
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

constexpr bool is_space(char c) {
  return c == ' ' || c == '\t';
}

// Without the white space on both sides.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the first element, trimmed and perhaps empty, off a list with commas. Begin with a whole
// list; `list` is empty after the last element.
constexpr std::string_view take_element(std::string_view& list) {
  const std::size_t comma = list.find(',');
  const std::string_view element = trimmed(list.substr(0, comma));
  list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
  return element;
}

}  // namespace sluice::http
