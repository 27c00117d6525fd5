#include "config/kind.h"

#include <utility>

#include "config/units.h"

namespace sluice::config {
namespace {

constexpr std::size_t kTextLimitBytes = 256;
constexpr std::size_t kNameLimitBytes = 128;

template <class T>
Kind<T> ranged(std::string name, std::string example,
               std::function<std::optional<T>(std::string_view)> parse,
               std::function<std::string(const T&)> format, T least, T most) {
  std::string bounds = format(least) + " to " + format(most);
  return {std::move(name),
          std::move(example),
          std::move(bounds),
          std::move(parse),
          [least, most](const T& value) { return least <= value && value <= most; },
          std::move(format)};
}

std::optional<std::string> parse_text(std::string_view text) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (text.empty() || text.size() > kTextLimitBytes) return std::nullopt;
  if (std::any_of(text.begin(), text.end(), is_control)) return std::nullopt;
  return std::string(text);
}

std::optional<std::string> parse_name(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-:@+").find(c) != std::string_view::npos;
  };
  if (text.empty() || text.size() > kNameLimitBytes) return std::nullopt;
  if (!std::all_of(text.begin(), text.end(), allowed)) return std::nullopt;
  return std::string(text);
}

std::optional<bool> parse_flag(std::string_view text) {
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  return std::nullopt;
}

}  // namespace

Kind<Duration> duration(Duration least, Duration most) {
  return ranged<Duration>("a duration", "a number with ns, us, ms, s, min or h, like 100ms",
                          parse_duration, format_duration, least, most);
}

Kind<double> rate(double least, double most) {
  return ranged<double>("a rate", "a number with /s, /min or /h, like 500/s", parse_rate,
                        format_rate, least, most);
}

Kind<double> share() {
  return ranged<double>("a share", "a number from 0 to 1, or 40%", parse_share, format_share, 0, 1);
}

Kind<std::uint64_t> bytes(std::uint64_t least, std::uint64_t most) {
  return ranged<std::uint64_t>("a size",
                               "whole bytes, or with KiB, MiB, GiB, kB, MB or GB, like 8GiB",
                               parse_bytes, format_bytes, least, most);
}

Kind<std::uint64_t> count(std::uint64_t least, std::uint64_t most) {
  return ranged<std::uint64_t>("a count", "a whole number, which may end in k, M or G", parse_count,
                               format_count, least, most);
}

Kind<double> number(double least, double most) {
  return ranged<double>("a number", "", parse_number, format_number, least, most);
}

Kind<bool> flag() {
  return {"true or false",
          "",
          "",
          parse_flag,
          [](const bool&) { return true; },
          [](const bool& value) { return std::string(value ? "true" : "false"); }};
}

Kind<std::string> text() {
  return {"a text",
          "1 to 256 bytes without control characters",
          "",
          parse_text,
          [](const std::string&) { return true; },
          [](const std::string& value) { return value; }};
}

Kind<std::string> name() {
  return {"a name",
          "1 to 128 letters, digits and . _ - : @ +",
          "",
          parse_name,
          [](const std::string&) { return true; },
          [](const std::string& value) { return value; }};
}

std::string list_names(std::span<const std::string_view> names) {
  std::string list = "one of ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += ", ";
    list += names[i];
  }
  return list;
}

}  // namespace sluice::config
