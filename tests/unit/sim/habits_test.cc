#include "sim/habits.h"

#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

using std::chrono::milliseconds;

const core::Labels kPlain{.model = {1},
                          .tenant = {2},
                          .priority = core::Priority{3},
                          .budget = milliseconds(100),
                          .retriable = true};

template <class Is>
int count(const Habits& habits, Is is) {
  int sum = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) sum += is(with_habits(kPlain, habits, 7, i));
  return sum;
}

TEST(Habits, WithoutAnyNothingChanges) {
  const core::Labels same = with_habits(kPlain, {}, 1, 1);
  EXPECT_EQ(same.budget, kPlain.budget);
  EXPECT_EQ(same.priority, kPlain.priority);
  EXPECT_EQ(same.expected_service, std::nullopt);
  EXPECT_EQ(same.size_bytes, 0u);
  EXPECT_TRUE(same.may_queue && same.retriable && same.teaches);
}

TEST(Habits, EachIsThatOfItsShare) {
  using core::Labels;
  EXPECT_NEAR(count({.run_now = 0.3}, [](const Labels& l) { return !l.may_queue; }), 300, 60);
  EXPECT_NEAR(count({.once = 0.3}, [](const Labels& l) { return !l.retriable; }), 300, 60);
  EXPECT_NEAR(count({.untaught = 0.3}, [](const Labels& l) { return !l.teaches; }), 300, 60);
  EXPECT_NEAR(
      count({.impatient = 0.3}, [](const Labels& l) { return *l.budget <= milliseconds(20); }), 300,
      60);
  EXPECT_NEAR(
      count({.hinted = 0.3}, [](const Labels& l) { return l.expected_service.has_value(); }), 300,
      60);
}

TEST(Habits, SizesAreOfTheirMean) {
  double sum = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    sum += static_cast<double>(with_habits(kPlain, {.mean_bytes = 5000}, 7, i).size_bytes);
  }
  EXPECT_NEAR(sum / 1000, 5000, 500);
}

TEST(Habits, ARequestHasTheSameEveryTime) {
  const Habits habits{.run_now = 0.5, .hinted = 0.5, .mean_bytes = 1e6};
  const core::Labels once = with_habits(kPlain, habits, 7, 42);
  const core::Labels again = with_habits(kPlain, habits, 7, 42);
  EXPECT_EQ(once.size_bytes, again.size_bytes);
  EXPECT_NE(once.size_bytes, with_habits(kPlain, habits, 8, 42).size_bytes);
}

}  // namespace
}  // namespace sluice::sim
