// Once, a second attempt at a slow task was begun although its tenant already ran as many as it
// may.
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

Said hedge_of(std::uint32_t concurrency) {
  Options options = small_options(1, 2);
  options.control.reserve.most_share = 0;
  options.models[0].hedge = true;
  options.tenants[0].limits.concurrency = concurrency;
  SteppedScheduler s(std::move(options));
  s.all_ready();
  for (int i = 0; i < 2; ++i) s.teach(10ms);
  Labels labels = asking(5, 10s);
  labels.retriable = true;
  s.submit(1, labels);
  s.advance(1s);
  return s.tick();
}

TEST(HedgeLimits, AHedgeCountsAgainstItsTenantsConcurrency) {
  EXPECT_EQ(hedge_of(2), (Said{"dispatch 1 to 1"}));
  EXPECT_EQ(hedge_of(1), (Said{}));
}

}  // namespace
}  // namespace sluice::core
