#include "config/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

namespace sluice::config {
namespace {

struct Unit {
  std::string_view suffix;
  double factor;
};

// Largest first within a family: that is the order in which formatters try them.
constexpr std::array kDurationUnits{Unit{"h", 3600e9}, Unit{"min", 60e9}, Unit{"s", 1e9},
                                    Unit{"ms", 1e6},   Unit{"us", 1e3},   Unit{"ns", 1}};
constexpr std::array kRateUnits{Unit{"/s", 1.0}, Unit{"/min", 1.0 / 60}, Unit{"/h", 1.0 / 3600}};
constexpr std::array kShareUnits{Unit{"", 1.0}, Unit{"%", 0.01}};
constexpr std::array kByteUnits{Unit{"TiB", 0x1p40}, Unit{"GiB", 0x1p30}, Unit{"MiB", 0x1p20},
                                Unit{"KiB", 0x1p10}, Unit{"TB", 1e12},    Unit{"GB", 1e9},
                                Unit{"MB", 1e6},     Unit{"kB", 1e3},     Unit{"B", 1},
                                Unit{"", 1}};
constexpr std::array kCountUnits{Unit{"G", 1e9}, Unit{"B", 1e9}, Unit{"M", 1e6}, Unit{"k", 1e3},
                                 Unit{"", 1}};

struct Split {
  double number;
  std::string_view unit;
};

std::optional<Split> split(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (unit.starts_with(' ')) {
    unit.remove_prefix(1);
    // "5 " is no number with a unit.
    if (unit.empty()) return std::nullopt;
  }
  return Split{number, unit};
}

// The value in the family's base unit.
std::optional<double> scale(std::string_view text, std::span<const Unit> units) {
  const auto parts = split(text);
  if (!parts || std::signbit(parts->number)) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.suffix == parts->unit) return parts->number * unit.factor;
  }
  return std::nullopt;
}

// Digits alone are exact up to the last of 64 bits; a double holds 53.
std::optional<std::uint64_t> parse_digits(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

// Whole units only: "1.5k" is 1500, "1.5" and "0.3B" are nothing.
std::optional<std::uint64_t> parse_whole(std::string_view text, std::span<const Unit> units) {
  if (const auto digits = parse_digits(text)) return digits;
  const auto value = scale(text, units);
  if (!value || *value >= 0x1p64) return std::nullopt;
  const double whole = std::round(*value);
  // 3.4 × 1e6 is not exactly a whole number in binary.
  if (std::abs(whole - *value) > whole * 1e-12) return std::nullopt;
  return static_cast<std::uint64_t>(whole);
}

std::string format_whole(std::uint64_t value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    const auto factor = static_cast<std::uint64_t>(unit.factor);
    if (value != 0 && value % factor == 0) {
      return std::to_string(value / factor).append(unit.suffix);
    }
  }
  return std::to_string(value);
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  if (text == "0") return Duration::zero();
  const auto ns = scale(text, kDurationUnits);
  if (!ns || *ns >= 0x1p63) return std::nullopt;
  return Duration(std::llround(*ns));
}

std::string format_duration(Duration value) {
  return value == Duration::zero()
             ? "0s"
             : format_whole(static_cast<std::uint64_t>(value.count()), kDurationUnits);
}

std::optional<double> parse_rate(std::string_view text) {
  return scale(text, kRateUnits);
}
std::string format_rate(double per_second) {
  return format_number(per_second) + "/s";
}

std::optional<double> parse_share(std::string_view text) {
  return scale(text, kShareUnits);
}
std::string format_share(double share) {
  return format_number(share);
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  return parse_whole(text, kByteUnits);
}
std::string format_bytes(std::uint64_t bytes) {
  return format_whole(bytes, kByteUnits);
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  return parse_whole(text, kCountUnits);
}
std::string format_count(std::uint64_t count) {
  return format_whole(count, kCountUnits);
}

std::optional<double> parse_number(std::string_view text) {
  const auto parts = split(text);
  if (!parts || !parts->unit.empty()) return std::nullopt;
  return parts->number;
}

std::string format_number(double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

}  // namespace sluice::config
