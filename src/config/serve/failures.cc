// What is done about replicas that fail (R29).
#include <chrono>

#include "config/serve/sections.h"
#include "core/task.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

// In the core, a share that is never reached.
constexpr double kNeverReached = 2;

void read_failure_share(Fields& f, double& out) {
  std::optional<double> limit = out > 1 ? std::nullopt : std::optional(out);
  f.optional("failure_share", or_word(share(), "none"), limit,
             "Share of failures among recent attempts that opens it");
  if (limit == 0) f.fail("failure_share", "is 0, which opens it without a failure; write none");
  out = limit.value_or(kNeverReached);
}

}  // namespace

void read_retry(Fields& root, core::RetryOptions& out) {
  root.map("retry", "Attempts that failed are made again on another replica", [&](Fields& f) {
    f.optional("attempts", count(1, core::Task::kMostTried + 1), out.most_attempts,
               "Most attempts at a request, the first included; 1: no retries");
    f.optional("share", share(), out.budget.share,
               "Retries for each first attempt, of all requests together");
    f.optional("floor", rate(0, 10'000), out.budget.floor_per_second,
               "Retries that are allowed at any rate, so that little traffic can be retried");
    f.optional("burst", number(1, 10'000), out.budget.burst, "Most retries that can be saved up");
  });
}

void read_breaker(Fields& root, core::BreakerOptions& out) {
  root.map("breaker", "When a model on a replica is left alone", [&](Fields& f) {
    f.optional("consecutive_failures", count(0, 1'000'000), out.consecutive_failures,
               "Failures in a row that open it; 0: any number");
    read_failure_share(f, out.failure_share);
    f.optional("min_volume", number(1, 10'000), out.min_volume,
               "Recent attempts below which the share says nothing");
    f.optional("window", duration(100ms, 1h), out.window,
               "How far back recent goes: the older, the less an attempt counts");
    f.optional("slow_ratio", number(1.1, 1000), out.slow_ratio,
               "So many times the predicted service time is slow");
    f.optional("slow_in_a_row", count(0, 1'000'000), out.slow_in_a_row,
               "Slow answers in a row that open it; 0: any number");
    f.optional("open_for", duration(1ms, 24h), out.open_for,
               "How long it is open at first; twice as long each time it opens again");
    f.optional("longest_open", duration(1ms, 24h), out.longest_open, "Longest time it is open");
    f.optional("healthy_after", duration(1ms, 24h), out.healthy_after,
               "Closed for so long, the next opening is a first one");
    f.optional("probes", count(1, 1000), out.probes, "Half-open: attempts let through at a time");
    f.optional("successes_to_close", count(1, 1000), out.successes_to_close,
               "Half-open: successes in a row that close it");
    if (out.longest_open < out.open_for) f.fail("longest_open", "is shorter than open_for");
  });
}

}  // namespace sluice::config
