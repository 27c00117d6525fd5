#include "core/placement/reported_figures.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint at(Duration d) {
  return TimePoint(100s + d);
}
constexpr FigureAges kAges{.fresh_for = 5s, .unknown_after = 15s};
constexpr std::uint32_t kCredits = 10;

double utilisation(const ReportedFigures& figures, Duration now, std::uint32_t in_flight) {
  return figures.at(at(now), in_flight, kCredits, kAges).utilisation;
}

TEST(RecentCount, IsWhatItWasAWhileAgo) {
  RecentCount count;
  for (std::uint32_t i = 0; i < 10; ++i) count.note(i, at(i * 1s));
  EXPECT_EQ(count.at(at(20s), 10), 10u);
  EXPECT_EQ(count.at(at(5500ms), 10), 6u);
  EXPECT_EQ(count.at(at(3500ms), 10), 4u);
}

TEST(RecentCount, RemembersSoMuchAndNoMore) {
  RecentCount count;
  EXPECT_EQ(count.at(at(0s), 7), 7u);
  count.note(3, at(0s));
  count.note(8, at(1h));
  EXPECT_EQ(count.at(at(0s), 9), 8u);
  EXPECT_EQ(count.at(TimePoint(-1h), 9), 8u);
}

TEST(ReportedFigures, AreUnknownUntilThereAreSome) {
  const ReportedFigures none;
  EXPECT_FALSE(none.known(at(0s), kAges));
  EXPECT_EQ(utilisation(none, 0s, 0), kUnknownFigure);
  EXPECT_EQ(none.at(at(0s), 4, kCredits, kAges).memory, kUnknownFigure);
  // What is counted here needs nobody's word.
  EXPECT_EQ(none.at(at(0s), 4, kCredits, kAges).queue, 0.4);
}

TEST(ReportedFigures, FadeByTheAgeOfTheirSample) {
  ReportedFigures figures;
  ASSERT_TRUE(figures.report(0.9, 0.1, at(0s), 0));
  EXPECT_EQ(utilisation(figures, 5s, 0), 0.9);
  EXPECT_DOUBLE_EQ(utilisation(figures, 10s, 0), 0.7);
  EXPECT_TRUE(figures.known(at(15s - 1ns), kAges));
  EXPECT_FALSE(figures.known(at(15s), kAges));
  EXPECT_EQ(figures.known_until(kAges), at(15s));
  EXPECT_EQ(utilisation(figures, 15s, 0), kUnknownFigure);
  EXPECT_EQ(figures.at(at(15s), 0, kCredits, kAges).memory, kUnknownFigure);
}

TEST(ReportedFigures, AnAbsentOneStaysAndAges) {
  ReportedFigures figures;
  figures.report(0.9, 0.2, at(0s), 0);
  figures.report(0.8, std::nullopt, at(4s), 0);
  EXPECT_EQ(figures.at(at(5s), 0, kCredits, kAges).memory, 0.2);
  EXPECT_GT(figures.at(at(9s), 0, kCredits, kAges).memory, 0.2);
  EXPECT_EQ(utilisation(figures, 9s, 0), 0.8);
}

TEST(ReportedFigures, TheNewestSampleCounts) {
  ReportedFigures figures;
  figures.report(0.9, std::nullopt, at(3s), 0);
  EXPECT_FALSE(figures.report(0.1, 0.1, at(2s), 0));
  EXPECT_EQ(utilisation(figures, 4s, 0), 0.9);
  EXPECT_EQ(figures.at(at(4s), 0, kCredits, kAges).memory, kUnknownFigure);
}

// peers.md 5 (llm-d-router#2066): what was sent since a sample is not in it.
TEST(ReportedFigures, WhatWasSentSinceIsAddedUntilANewerSample) {
  ReportedFigures figures;
  figures.report(0.2, std::nullopt, at(0s), 2);
  EXPECT_DOUBLE_EQ(utilisation(figures, 1s, 2), 0.2);
  EXPECT_DOUBLE_EQ(utilisation(figures, 1s, 5), 0.5);
  EXPECT_EQ(utilisation(figures, 1s, 20), 1);
  // What has ended since may have been others', too: nothing is taken off.
  EXPECT_DOUBLE_EQ(utilisation(figures, 1s, 0), 0.2);
  figures.report(0.5, std::nullopt, at(2s), 5);
  EXPECT_DOUBLE_EQ(utilisation(figures, 2s, 5), 0.5);
}

TEST(ReportedFigures, WhatWasSentWhileTheSampleWasOnItsWayIsAddedToo) {
  ReportedFigures figures;
  for (std::uint32_t i = 0; i < 6; ++i) figures.note(i, at(i * 500ms));
  // Sampled when there were two, three or four, heard of with six.
  figures.report(0.3, std::nullopt, at(1750ms), 6);
  EXPECT_NEAR(utilisation(figures, 3s, 6), 0.3 + 0.3, 0.1 + 1e-9);
  EXPECT_GT(utilisation(figures, 3s, 6), 0.4);
}

TEST(ReportedFigures, FloodedIsBeyondTheThrottleOfWhatWasFree) {
  ReportedFigures figures;
  figures.report(0.6, std::nullopt, at(0s), 3);  // 4 of 10 credits free
  EXPECT_FALSE(figures.flooded(at(1s), 6, kCredits, kAges, 1));
  EXPECT_TRUE(figures.flooded(at(1s), 7, kCredits, kAges, 1));
  EXPECT_FALSE(figures.flooded(at(1s), 8, kCredits, kAges, 1.5));
  EXPECT_TRUE(figures.flooded(at(1s), 9, kCredits, kAges, 1.5));
  // Nobody knows any more what it has free.
  EXPECT_FALSE(figures.flooded(at(15s), 9, kCredits, kAges, 1));
  EXPECT_FALSE(ReportedFigures().flooded(at(1s), 9, kCredits, kAges, 1));
}

}  // namespace
}  // namespace sluice::core
