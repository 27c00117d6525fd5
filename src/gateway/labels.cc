#include "gateway/labels.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sluice::gateway {
namespace {

constexpr std::string_view kPrefix = "x-sluice-";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool same_ignoring_case(std::string_view text, std::string_view lower_text) {
  return std::equal(text.begin(), text.end(), lower_text.begin(), lower_text.end(),
                    [](char a, char b) { return lower(a) == b; });
}

template <class Label, std::size_t N>
std::optional<Label> one_of(std::string_view value, const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i) {
    if (value == names[i]) return Label(i);
  }
  return std::nullopt;
}

// Exactly `digits` digits at `at`; moves `at` on.
std::optional<int> take_number(std::string_view text, std::size_t& at, std::size_t digits) {
  if (text.size() < at + digits) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char c = text[at++];
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool take(std::string_view text, std::size_t& at, char wanted) {
  if (at >= text.size() || text[at] != wanted) return false;
  ++at;
  return true;
}

std::optional<std::chrono::minutes> take_offset(std::string_view text, std::size_t& at) {
  if (take(text, at, 'Z') || take(text, at, 'z')) return std::chrono::minutes(0);
  if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return std::nullopt;
  const int sign = text[at++] == '+' ? 1 : -1;
  const auto hours = take_number(text, at, 2);
  if (!hours || *hours > 23 || !take(text, at, ':')) return std::nullopt;
  const auto minutes = take_number(text, at, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return std::chrono::minutes(sign * (*hours * 60 + *minutes));
}

// Nanoseconds after the point; digits beyond the ninth are read and dropped.
std::optional<std::chrono::nanoseconds> take_fraction(std::string_view text, std::size_t& at) {
  if (!take(text, at, '.')) return std::chrono::nanoseconds(0);
  std::int64_t value = 0;
  int digits = 0;
  for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
       ++at, ++digits) {
    if (digits < 9) value = value * 10 + (text[at] - '0');
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 9; ++digits) value *= 10;
  return std::chrono::nanoseconds(value);
}

std::optional<std::chrono::sys_days> take_date(std::string_view text, std::size_t& at) {
  const auto y = take_number(text, at, 4);
  if (!y || !take(text, at, '-')) return std::nullopt;
  const auto m = take_number(text, at, 2);
  if (!m || !take(text, at, '-')) return std::nullopt;
  const auto d = take_number(text, at, 2);
  if (!d) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*y),
                                         std::chrono::month(static_cast<unsigned>(*m)),
                                         std::chrono::day(static_cast<unsigned>(*d))};
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

std::optional<std::chrono::seconds> take_time(std::string_view text, std::size_t& at) {
  const auto h = take_number(text, at, 2);
  if (!h || *h > 23 || !take(text, at, ':')) return std::nullopt;
  const auto m = take_number(text, at, 2);
  if (!m || *m > 59 || !take(text, at, ':')) return std::nullopt;
  const auto s = take_number(text, at, 2);
  if (!s || *s > 60) return std::nullopt;
  return std::chrono::seconds(*h * 3600 + *m * 60 + *s);
}

}  // namespace

std::optional<Duration> parse_ms(std::string_view text) {
  // from_chars also reads "inf", "nan" and a minus sign.
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  double ms = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), ms, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || ms > 86'400'000) {
    return std::nullopt;
  }
  return from_ms(ms);
}

std::optional<std::chrono::system_clock::time_point> parse_rfc3339(std::string_view text) {
  std::size_t at = 0;
  const auto date = take_date(text, at);
  if (!date || !(take(text, at, 'T') || take(text, at, 't'))) return std::nullopt;
  const auto time = take_time(text, at);
  if (!time) return std::nullopt;
  const auto fraction = take_fraction(text, at);
  if (!fraction) return std::nullopt;
  const auto offset = take_offset(text, at);
  if (!offset || at != text.size()) return std::nullopt;
  // In whole seconds first: the year 9999 does not fit into 64 bits of nanoseconds.
  const auto whole = std::chrono::sys_seconds(*date) + *time - *offset;
  const auto latest =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::time_point::max());
  const auto earliest =
      std::chrono::ceil<std::chrono::seconds>(std::chrono::system_clock::time_point::min());
  if (whole >= latest) return std::chrono::system_clock::time_point::max();
  if (whole <= earliest) return std::chrono::system_clock::time_point::min();
  return std::chrono::system_clock::time_point(whole) + *fraction;
}

bool LabelReader::read(std::string_view name, std::string_view value,
                       std::chrono::system_clock::time_point wall_now) {
  if (name.size() <= kPrefix.size() || lower(name[0]) != 'x') return true;
  if (!same_ignoring_case(name.substr(0, kPrefix.size()), kPrefix)) return true;
  return read_own(name.substr(kPrefix.size()), value, wall_now);
}

bool LabelReader::read_own(std::string_view label, std::string_view value,
                           std::chrono::system_clock::time_point wall_now) {
  const auto is = [label](std::string_view wanted) { return same_ignoring_case(label, wanted); };
  if (is("tenant")) {
    labels_.tenant = directory_.tenant(value);
    return true;
  }
  if (is("priority")) return read_priority(value);
  if (is("budget-ms")) return read_budget_ms(value);
  if (is("deadline")) return read_deadline(value, wall_now);
  if (is("expected-ms")) return read_expected_ms(value);
  if (is("queue")) return read_queue(value);
  if (is("task-type")) return read_task_type(value);
  if (is("realtime")) {
    labels_.realtime = one_of<core::Realtime>(value, core::kRealtimeNames);
    return labels_.realtime || fail("realtime", value, "high, medium or low");
  }
  if (is("weight")) {
    labels_.weight = one_of<core::WeightClass>(value, core::kWeightClassNames);
    return labels_.weight || fail("weight", value, "light, medium or heavy");
  }
  // Answers carry x-sluice-task-id and others; a caller that sends one back does no harm.
  return true;
}

bool LabelReader::read_priority(std::string_view value) {
  if (value.size() != 1 || value[0] < '0' || value[0] > '9') {
    return fail("priority", value, "a whole number from 0 (most urgent) to 9");
  }
  labels_.priority = static_cast<core::Priority>(value[0] - '0');
  return true;
}

bool LabelReader::read_budget_ms(std::string_view value) {
  labels_.budget = parse_ms(value);
  return labels_.budget ||
         fail("budget-ms", value, "milliseconds from 0 to 86400000, like 100 or 2.5");
}

bool LabelReader::read_expected_ms(std::string_view value) {
  labels_.expected_service = parse_ms(value);
  return labels_.expected_service ||
         fail("expected-ms", value, "milliseconds from 0 to 86400000, like 100 or 2.5");
}

bool LabelReader::read_deadline(std::string_view value,
                                std::chrono::system_clock::time_point wall_now) {
  const auto deadline = parse_rfc3339(value);
  if (!deadline) return fail("deadline", value, "an RFC 3339 time like 2026-01-31T12:00:00Z");
  constexpr Duration kFarthest = std::chrono::hours(24);
  const auto farthest = wall_now + kFarthest;
  // A deadline in the past is well-formed: it leaves no budget.
  labels_.budget = *deadline >= farthest ? kFarthest
                   : *deadline <= wall_now
                       ? Duration::zero()
                       : std::chrono::duration_cast<Duration>(*deadline - wall_now);
  return true;
}

bool LabelReader::read_queue(std::string_view value) {
  if (value != "no" && value != "yes") return fail("queue", value, "yes or no");
  labels_.may_queue = value == "yes";
  return true;
}

bool LabelReader::read_task_type(std::string_view value) {
  labels_.task_type = directory_.task_type(value);
  return labels_.task_type || fail("task-type", value, "one of " + directory_.task_type_names());
}

bool LabelReader::fail(std::string_view label, std::string_view value, std::string_view allowed) {
  // What came is quoted, but not at any length.
  constexpr std::size_t kQuoted = 64;
  error_ = "x-sluice-";
  error_.append(label).append(": \"").append(value.substr(0, kQuoted));
  error_.append(value.size() > kQuoted ? "…\" is not " : "\" is not ").append(allowed);
  return false;
}

}  // namespace sluice::gateway
