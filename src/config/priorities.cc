#include "config/priorities.h"

namespace sluice::config {
namespace {

std::optional<core::Priority> parse_one(std::string_view text) {
  if (text.size() != 1 || text[0] < '0' || text[0] > '9') return std::nullopt;
  return static_cast<core::Priority>(text[0] - '0');
}

}  // namespace

std::optional<core::PriorityRange> parse_priorities(std::string_view text) {
  constexpr std::string_view kTo = "..";
  const std::size_t dots = text.find(kTo);
  const auto from = parse_one(text.substr(0, dots));
  const auto to = dots == text.npos ? from : parse_one(text.substr(dots + kTo.size()));
  if (!from || !to || *from > *to) return std::nullopt;
  return core::PriorityRange{*from, *to};
}

std::string format_priorities(const core::PriorityRange& range) {
  const std::string from = std::to_string(range.from);
  return range.from == range.to ? from : from + ".." + std::to_string(range.to);
}

Kind<core::PriorityRange> priorities() {
  return {.name = "a range of priorities",
          .example = "FROM..TO, from 0 (most urgent) to 9, like 0..4",
          .bounds = "0..9",
          .parse = parse_priorities,
          .within = [](const core::PriorityRange&) { return true; },
          .format = format_priorities};
}

}  // namespace sluice::config
