#include "load/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <charconv>
#include <nlohmann/json.hpp>

namespace sluice::load {
namespace {

constexpr std::size_t kProblemBytes = 4096;
constexpr std::uint64_t kAnswerBytes = std::uint64_t{64} << 20;

// Reasons that name the outcome themselves, whatever the status.
constexpr std::array<std::string_view, 4> kExpired{"deadline_passed", "deadline_unreachable",
                                                   "queue_timeout", "load_failed"};
constexpr std::array<std::string_view, 6> kFailed{"replica_error",       "replica_busy",
                                                  "replica_unreachable", "replica_timeout",
                                                  "bad_answer",          "attempt_lost"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Cuts the part before `separator` off the front of `text`.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(part);
}

std::string reason_in(const std::string& problem) {
  const auto json = nlohmann::json::parse(problem, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return {};
  const auto reason = json.find("reason");
  return reason != json.end() && reason->is_string() ? reason->get<std::string>() : std::string();
}

}  // namespace

Ending ending_of(const Answer& answer) {
  if (answer.status >= 200 && answer.status < 300) return {"completed", "none"};
  const std::string reason =
      answer.reason.empty() ? fmt::format("http_{}", answer.status) : answer.reason;
  if (contains(kExpired, reason)) return {"expired", reason};
  if (contains(kFailed, reason)) return {"failed", reason};
  const bool refusal = answer.status == 429 || answer.status == 503;
  return {refusal ? "refused" : "failed", reason};
}

std::optional<Duration> server_timing(std::string_view header, std::string_view metric) {
  while (!header.empty()) {
    std::string_view entry = take_until(header, ',');
    if (take_until(entry, ';') != metric) continue;
    while (!entry.empty()) {
      std::string_view value = take_until(entry, ';');
      if (take_until(value, '=') != "dur") continue;
      double ms = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ms);
      // Bounded, so that a wild value cannot overflow the conversion.
      if (error == std::errc() && ms >= 0 && ms < 1e9) return from_ms(ms);
    }
  }
  return std::nullopt;
}

AnswerParser::AnswerParser() {
  body_limit(kAnswerBytes);
  eager(true);
}

Answer AnswerParser::take() {
  answer_.keep_alive = keep_alive();
  if (is_problem_) answer_.reason = reason_in(problem_);
  return std::move(answer_);
}

void AnswerParser::on_response_impl(int status, string_view, int, error_code&) {
  answer_.status = static_cast<unsigned>(status);
}

void AnswerParser::on_field_impl(field name, string_view text, string_view value, error_code&) {
  const std::string_view v(value.data(), value.size());
  if (name == field::content_type) {
    is_problem_ = v.starts_with("application/problem+json");
  } else if (boost::beast::iequals(text, "x-sluice-lane")) {
    answer_.lane = v;
  } else if (boost::beast::iequals(text, "x-sluice-replica")) {
    answer_.replica = v;
  } else if (boost::beast::iequals(text, "server-timing")) {
    answer_.queued = server_timing(v, "queue");
  }
}

std::size_t AnswerParser::on_body_impl(string_view body, error_code&) {
  if (is_problem_) {
    problem_.append(body.data(), std::min(body.size(), kProblemBytes - problem_.size()));
  }
  return body.size();
}

std::size_t AnswerParser::on_chunk_body_impl(std::uint64_t, string_view body, error_code& error) {
  return on_body_impl(body, error);
}

}  // namespace sluice::load
