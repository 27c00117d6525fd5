// The corrections in a closed loop: what a correction does to the kind's latency comes back through
// the kind's own history, and the loop has to settle whatever the plant answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/random.h"
#include "core/classify/kind_history.h"
#include "core/control/corrections.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

// A kind's tasks, 500/s. Their mean latency is `pressure` × budget ÷ gain for each step they were
// raised by, `delay` ago: what a queue does that is served in a new order.
struct Plant {
  double gain = 1.5;
  Duration delay = 0ms;
  std::function<double(double)> pressure;  // of the second
};

class Loop {
 public:
  explicit Loop(Plant plant) : plant_(std::move(plant)) {}

  void run(double seconds) {
    const TimePoint end = now_ + from_seconds(seconds);
    while (now_ < end) {
      now_ += 2ms;
      task();
      if (now_.time_since_epoch() % 20ms == 0ms) tick();
    }
  }
  int offset() const { return corrections_.offset(TaskTypeId{0}); }
  const std::vector<CorrectionChange>& changes() const { return changes_; }
  long changes_since(double s) const {
    return std::count_if(changes_.begin(), changes_.end(),
                         [s](const auto& c) { return to_seconds(c.at.time_since_epoch()) >= s; });
  }

 private:
  static constexpr Duration kBudget = 100ms;

  void task() {
    past_.push_back(offset());
    const auto steps = static_cast<std::size_t>(plant_.delay / 2ms);
    const int felt = past_.size() > steps ? past_[past_.size() - 1 - steps] : 0;
    const double s = to_seconds(now_.time_since_epoch());
    const double mean = plant_.pressure(s) * std::pow(plant_.gain, felt);
    history_.arrived(kBudget, now_);
    history_.answered(from_ms(100 * random_.lognormal(mean, 0.2)), kBudget);
  }
  void tick() {
    const auto change =
        corrections_.step(TaskTypeId{0}, history_.figures(Realtime::kMedium, now_), 0.5, now_);
    if (change) changes_.push_back(*change);
  }

  Plant plant_;
  KindHistory history_;
  Corrections corrections_{CorrectionOptions{}, 1};
  std::vector<int> past_;
  std::vector<CorrectionChange> changes_;
  Random random_{11};
  TimePoint now_;
};

double step_at_10s(double s, double before, double after) {
  return s < 10 ? before : after;
}

// The reaction of R48: first correction well within 2 s; settled within 2 s more, no overshoot.
TEST(CorrectionsLoop, StepResponse) {
  Loop loop({.gain = 1.1, .pressure = [](double s) { return step_at_10s(s, 0.5, 1.2); }});
  loop.run(10);
  EXPECT_TRUE(loop.changes().empty());
  loop.run(30);
  ASSERT_EQ(loop.changes().size(), 2u);
  EXPECT_LT(loop.changes()[0].at, TimePoint(10500ms));
  EXPECT_LT(loop.changes()[1].at, TimePoint(12s));
  EXPECT_EQ(loop.offset(), -2);
}

TEST(CorrectionsLoop, OneStepThatSufficesIsNotFollowedByAnother) {
  Loop loop({.gain = 1.3, .pressure = [](double s) { return step_at_10s(s, 0.5, 1.1); }});
  loop.run(25);
  EXPECT_EQ(loop.changes().size(), 1u);
  EXPECT_EQ(loop.offset(), -1);
}

TEST(CorrectionsLoop, GoesBackToRestWhenThePressureIsGone) {
  Loop loop({.gain = 1.1, .pressure = [](double s) { return s < 10 ? 1.5 : 0.5; }});
  loop.run(10);
  EXPECT_EQ(loop.offset(), -2);
  loop.run(4);
  EXPECT_EQ(loop.offset(), 0);
  loop.run(20);
  EXPECT_EQ(loop.changes().size(), 4u);
}

// Noise around the threshold itself, with a plant that does not answer at all.
TEST(CorrectionsLoop, NoiseAtTheThresholdMovesLittle) {
  Random noise(5);
  Loop loop({.gain = 1.0, .pressure = [&](double) { return 0.97 * noise.uniform(0.7, 1.3); }});
  loop.run(300);
  EXPECT_LE(loop.changes().size(), 10u);
}

// One step takes P95 from far above its threshold to far below: the limit cycle that no dead band
// prevents. An excursion is at most two steps out and two back, and each is kept for twice as long
// as the one before: eight of them in three minutes, at most two in a minute in the end. Gains 1.5
// (expected) to 15; delays up to several dwells.
TEST(CorrectionsLoop, CyclesDieDownWhateverGainAndDelay) {
  for (const double gain : {1.5, 3.0, 15.0}) {
    for (const Duration delay : {Duration(0ms), Duration(200ms), Duration(1s), Duration(3s)}) {
      Loop loop({.gain = gain, .delay = delay, .pressure = [](double) { return 1.2; }});
      loop.run(180);
      EXPECT_LE(loop.changes().size(), 4u * 8) << gain << " " << to_ms(delay);
      EXPECT_LE(loop.changes_since(120), 8) << gain << " " << to_ms(delay);
      for (const auto& c : loop.changes()) EXPECT_EQ(std::abs(c.to - c.from), 1);
    }
  }
}

// The worst opponent there is: a cause that is there exactly while nothing is done about it.
TEST(CorrectionsLoop, WorstOpponentGetsEightChangesAMinute) {
  Corrections corrections(CorrectionOptions{}, 1);
  int changes = 0;
  int in_last_minute = 0;
  for (Duration t = 0s; t < 10min; t += 10ms) {
    const bool rest = corrections.offset(TaskTypeId{0}) == 0;
    const KindFigures figures{.rate_per_s = 1e5,
                              .drop_share = rest ? 1.0 : 0.0,
                              .budget = 100ms,
                              .ended = static_cast<std::uint64_t>(1e5 * (1 + to_seconds(t)))};
    if (!corrections.step(TaskTypeId{0}, figures, 0, TimePoint(t))) continue;
    ++changes;
    if (t >= 9min) ++in_last_minute;
  }
  EXPECT_LE(changes, 60);
  EXPECT_LE(in_last_minute, 8);
  EXPECT_GE(in_last_minute, 2) << "it does try again";
}

// Two causes that pull apart, each strong when the other has had its way.
TEST(CorrectionsLoop, CausesThatPullApartBackOffToo) {
  Corrections corrections(CorrectionOptions{}, 1);
  int in_last_minute = 0;
  for (Duration t = 0s; t < 5min; t += 10ms) {
    const int offset = corrections.offset(TaskTypeId{0});
    const KindFigures figures{.rate_per_s = 1e5,
                              .error_share = offset < 0 ? 0.5 : 0.0,
                              .drop_share = offset >= 0 ? 0.5 : 0.0,
                              .budget = 100ms,
                              .ended = static_cast<std::uint64_t>(1e5 * (1 + to_seconds(t)))};
    if (corrections.step(TaskTypeId{0}, figures, 0, TimePoint(t)) && t >= 4min) ++in_last_minute;
  }
  EXPECT_LE(in_last_minute, 8);
}

}  // namespace
}  // namespace sluice::core
