#include <chrono>

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(RetrySection, ReachesTheCore) {
  const core::RetryOptions retry =
      read_with("retry: {attempts: 2, share: 5%, floor: 30/min, burst: 7}\n").core.retry;
  EXPECT_EQ(retry.most_attempts, 2U);
  EXPECT_DOUBLE_EQ(retry.budget.share, 0.05);
  EXPECT_DOUBLE_EQ(retry.budget.floor_per_second, 0.5);
  EXPECT_DOUBLE_EQ(retry.budget.burst, 7);
}

TEST(RetrySection, RefusesWhatTheCoreCannotDo) {
  EXPECT_EQ(error_with("retry: {attempts: 0}\n"),
            "sluice.yaml:4: retry.attempts: \"0\" is out of bounds; write 1 to 4");
  EXPECT_EQ(error_with("retry: {attempts: 5}\n"),
            "sluice.yaml:4: retry.attempts: \"5\" is out of bounds; write 1 to 4");
  EXPECT_EQ(error_with("retry: {burst: 0.5}\n"),
            "sluice.yaml:4: retry.burst: \"0.5\" is out of bounds; write 1 to 10000");
}

TEST(BreakerSection, ReachesTheCore) {
  const core::BreakerOptions breaker =
      read_with(
          "breaker: {consecutive_failures: 3, failure_share: 10%, min_volume: 50, window: 30s,\n"
          "  slow_ratio: 8, slow_in_a_row: 2, open_for: 1s, longest_open: 9s, healthy_after: 5s,\n"
          "  probes: 4, successes_to_close: 6}\n")
          .core.breaker;
  EXPECT_EQ(breaker.consecutive_failures, 3U);
  EXPECT_DOUBLE_EQ(breaker.failure_share, 0.1);
  EXPECT_EQ(breaker.min_volume, 50);
  EXPECT_EQ(breaker.window, Duration(30s));
  EXPECT_EQ(breaker.slow_ratio, 8);
  EXPECT_EQ(breaker.slow_in_a_row, 2U);
  EXPECT_EQ(breaker.open_for, Duration(1s));
  EXPECT_EQ(breaker.longest_open, Duration(9s));
  EXPECT_EQ(breaker.healthy_after, Duration(5s));
  EXPECT_EQ(breaker.probes, 4);
  EXPECT_EQ(breaker.successes_to_close, 6);
}

TEST(BreakerSection, KeepsWhatIsNotSaid) {
  const core::BreakerOptions breaker = read_with("breaker: {probes: 2}\n").core.breaker;
  const core::BreakerOptions defaults;
  EXPECT_EQ(breaker.failure_share, defaults.failure_share);
  EXPECT_EQ(breaker.open_for, defaults.open_for);
  EXPECT_EQ(breaker.probes, 2);
}

TEST(BreakerSection, TheShareMayBeNoCause) {
  EXPECT_GT(read_with("breaker: {failure_share: none}\n").core.breaker.failure_share, 1);
}

TEST(BreakerSection, RefusesWhatContradictsItself) {
  EXPECT_EQ(error_with("breaker: {failure_share: 0}\n"),
            "sluice.yaml:4: breaker.failure_share: is 0, which opens it without a failure; "
            "write none");
  EXPECT_EQ(error_with("breaker: {open_for: 10s, longest_open: 5s}\n"),
            "sluice.yaml:4: breaker.longest_open: is shorter than open_for");
}

}  // namespace
}  // namespace sluice::config
