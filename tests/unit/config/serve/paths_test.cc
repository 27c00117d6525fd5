#include <chrono>

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(PathsSection, SlowStartIsOnUnlessTurnedOff) {
  EXPECT_TRUE(read_with("").core.slow_start.enabled);
  const core::SlowStartOptions read =
      read_with("slow_start: {enabled: false, attempts: 3, joins_after: 1min}\n").core.slow_start;
  EXPECT_FALSE(read.enabled);
  EXPECT_EQ(read.attempts, 3U);
  EXPECT_EQ(read.joins_after, Duration(1min));
}

TEST(PathsSection, SlowStartNeedsAnAttempt) {
  EXPECT_EQ(error_with("slow_start: {attempts: 0}\n"),
            "sluice.yaml:4: slow_start.attempts: \"0\" is out of bounds; write 1 to 65535");
}

}  // namespace
}  // namespace sluice::config
