#include "load/progress.h"

#include <gtest/gtest.h>

namespace sluice::load {
namespace {

TEST(Progress, SaysWhereTheRunStands) {
  workload::Run run;
  run.total.offered = 90;
  run.lanes["high"].offered = 80;
  run.lanes["high"].in_budget = 60;
  run.lanes["low"].offered = 10;
  EXPECT_EQ(progress_line({.elapsed = std::chrono::milliseconds(2100),
                           .duration = std::chrono::seconds(40),
                           .sent = 100,
                           .so_far = &run}),
            "  2 s of 40 s  sent 100, in flight 10; in budget: high 75.0%, low 0.0%");
}

}  // namespace
}  // namespace sluice::load
