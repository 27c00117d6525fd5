// What was looked at for one task, kept until somebody asks why (R40).
#include "core/placement/deliberation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace sluice::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Weighed weighed(std::uint32_t node, double cost, std::uint8_t marks = 0) {
  return {.node = NodeId{node}, .marks = marks, .cost = cost};
}

std::vector<std::uint32_t> listed(const Deliberation& deliberation) {
  PlacementRecord record;
  deliberation.write_to(record);
  std::vector<std::uint32_t> nodes;
  for (std::size_t i = 0; i < record.listed; ++i) nodes.push_back(record.best[i].node.value);
  return nodes;
}

TEST(Deliberation, ListsTheBestFewInTheirOrder) {
  Deliberation deliberation;
  for (std::uint32_t n = 0; n < 10; ++n) deliberation.note(weighed(n, (n * 7) % 10));
  deliberation.decide_on(weighed(0, 0));
  EXPECT_THAT(listed(deliberation), ElementsAre(0, 3, 6, 9));
}

TEST(Deliberation, ListsWhatWasDecidedOnFirstHoweverPoor) {
  Deliberation deliberation;
  for (std::uint32_t n = 0; n < 8; ++n) deliberation.note(weighed(n, n));
  deliberation.decide_on(weighed(7, 7));
  EXPECT_THAT(listed(deliberation), ElementsAre(7, 0, 1, 2));
}

TEST(Deliberation, MarksComeBeforeCosts) {
  Deliberation deliberation;
  deliberation.note(weighed(0, 1, static_cast<std::uint8_t>(Mark::kTried)));
  deliberation.note(weighed(1, 9, static_cast<std::uint8_t>(Mark::kLate)));
  deliberation.note(weighed(2, 20));
  deliberation.decide_on(weighed(2, 20));
  EXPECT_THAT(listed(deliberation), ElementsAre(2, 1, 0));
}

TEST(Deliberation, CountsWhatItDoesNotList) {
  Deliberation deliberation;
  for (std::uint32_t n = 0; n < 10; ++n) deliberation.note(weighed(n, n));
  PlacementRecord record;
  deliberation.write_to(record);
  EXPECT_EQ(record.considered, 10u);
  EXPECT_FALSE(record.node.valid());
}

TEST(Deliberation, ListsANodeOnceThatASampleHasLookedAtTwice) {
  Deliberation deliberation;
  for (int i = 0; i < 3; ++i) deliberation.note(weighed(4, 1));
  deliberation.decide_on(weighed(4, 1));
  EXPECT_THAT(listed(deliberation), ElementsAre(4));
}

TEST(Deliberation, BeginsAnew) {
  Deliberation deliberation;
  deliberation.note(weighed(1, 1));
  deliberation.decide_on(weighed(1, 1));
  deliberation.begin();
  EXPECT_THAT(listed(deliberation), IsEmpty());
}

}  // namespace
}  // namespace sluice::core
