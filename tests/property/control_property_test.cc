// What holds of every control loop whatever figures it is given: bounds, one step at a time, and as
// many changes as its gate lets through.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/control/corrections.h"
#include "core/control/lane_weights.h"
#include "core/control/limiter.h"
#include "core/control/shrinking_share.h"
#include "core/control/tenant_penalty.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

// At full size always: small tests are to have few steps, not small figures.
int between(int low, int high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

// A figure of any size, the impossible ones too.
double any_figure() {
  constexpr std::array<double, 3> kImpossible{std::numeric_limits<double>::quiet_NaN(), -1.0,
                                              std::numeric_limits<double>::infinity()};
  const int i = between(-150, 3000);
  return i < 0 ? kImpossible[static_cast<std::size_t>(-i) % 3] : i / 1000.0;
}

Duration any_duration() {
  return from_ms(between(0, 10'000));
}

RC_GTEST_PROP(ControlProperty, CorrectionsStepByOneWithinTwo, ()) {
  Corrections corrections(CorrectionOptions{}, 1);
  const TaskTypeId kind{0};
  TimePoint now(1s);
  TimePoint last = TimePoint::min();
  std::uint64_t ended = 0;
  for (int i = *rc::gen::inRange(0, 100); i > 0; --i) {
    now += from_ms(between(0, 400));
    ended += static_cast<std::uint64_t>(between(0, 300));
    const KindFigures figures{.rate_per_s = any_figure(),
                              .error_share = any_figure(),
                              .drop_share = any_figure(),
                              .miss_share = any_figure(),
                              .p95 = any_duration(),
                              .budget = any_duration(),
                              .ended = ended,
                              .realtime = *rc::gen::element(Realtime::kHigh, Realtime::kLow)};
    const int before = corrections.offset(kind);
    const auto change = corrections.step(kind, figures, any_figure(), now);
    const int after = corrections.offset(kind);
    RC_ASSERT(std::abs(after) <= 2);
    RC_ASSERT(change.has_value() == (before != after));
    if (!change) continue;
    RC_ASSERT(change->from == before);
    RC_ASSERT(change->to == after);
    RC_ASSERT(std::abs(after - before) == 1);
    if (last != TimePoint::min()) RC_ASSERT(now - last >= CorrectionOptions{}.gate.dwell);
    last = now;
  }
}

RC_GTEST_PROP(ControlProperty, LaneWeightsKeepTheirRangeAndRecordEveryChange, ()) {
  const LaneWeightOptions options;
  constexpr std::array<double, kLanes> kBase{16, 4, 1};
  LaneWeights weights(options, kBase);
  TimePoint now(1s);
  for (int i = *rc::gen::inRange(0, 200); i > 0; --i) {
    now += from_ms(between(0, 400));
    const auto lane = *rc::gen::element(Lane::kHigh, Lane::kLatency, Lane::kLow);
    const double before = weights.weight(lane);
    const auto change = weights.step(lane,
                                     {.drain = any_duration(),
                                      .budget = any_duration(),
                                      .arrivals_per_s = between(0, 5000) * 1.0,
                                      .hit_share = between(0, 101) / 100.0,
                                      .oldest_wait = any_duration()},
                                     now);
    const double after = weights.weight(lane);
    const double base = kBase[static_cast<std::size_t>(lane)];
    RC_ASSERT(after >= base);
    if (!weights.boosted(lane)) RC_ASSERT(after <= base * options.range * 1.0000001);
    if (before != after) RC_ASSERT(change.has_value());
    if (change && change->cause != WeightCause::kBoost &&
        change->cause != WeightCause::kBoostOver) {
      RC_ASSERT(change->to <= change->from * options.most_step * 1.0000001);
      RC_ASSERT(change->to * options.most_step * 1.0000001 >= change->from);
    }
  }
}

RC_GTEST_PROP(ControlProperty, CapsNeverGrowWithLoad, ()) {
  SystemFigures figures{.busy_share = between(0, 101) / 100.0};
  for (double& share : figures.waiting_share) share = between(0, 101) / 100.0;
  SystemFigures more = figures;
  more.waiting_share[0] += between(0, 101) / 100.0;
  const auto slots = static_cast<std::uint32_t>(between(0, 10'000));
  std::uint32_t urgent = slots;
  for (const Lane lane : {Lane::kHigh, Lane::kLatency, Lane::kLow}) {
    const auto cap = running_cap(lane, figures, slots, {});
    RC_ASSERT(running_cap(lane, more, slots, {}) <= cap);
    RC_ASSERT(cap >= 1u);
    RC_ASSERT(cap <= std::max(urgent, 1u));  // the less urgent lane has the smaller cap
    urgent = cap;
  }
}

RC_GTEST_PROP(ControlProperty, ShareStaysBetweenFloorAndOne, ()) {
  ShrinkingShare share;
  TimePoint now(1s);
  for (int i = *rc::gen::inRange(0, 200); i > 0; --i) {
    now += from_ms(between(0, 400));
    const double before = share.share();
    const auto change = share.step(any_figure(), now, kSafetyLoadShare);
    RC_ASSERT(share.share() >= 0.1);
    RC_ASSERT(share.share() <= 1.0);
    RC_ASSERT(change.has_value() == (before != share.share()));
    RC_ASSERT(share.share() <= before + 0.0500001);
  }
}

// Others behave: whatever one tenant does, only that one is ever penalised.
RC_GTEST_PROP(ControlProperty, PenaltiesMoveByOneLevelAndNeverHitTheInnocent, ()) {
  TenantPenalties penalties(PenaltyOptions{}, 2);
  TimePoint now(1s);
  for (int i = *rc::gen::inRange(0, 100); i > 0; --i) {
    now += from_ms(between(0, 4000));
    const auto conduct = Conduct(between(0, kConducts));
    for (int n = between(0, 60); n > 0; --n) {
      penalties.ended(TenantId{0}, conduct, now);
      penalties.ended(TenantId{1}, Conduct::kGood, now);
    }
    const int before = penalties.level(TenantId{0});
    const auto change = penalties.step(TenantId{0}, now);
    const int after = penalties.level(TenantId{0});
    RC_ASSERT(after >= 0);
    RC_ASSERT(after < kPenaltyLevels);
    RC_ASSERT(std::abs(after - before) == (change ? 1 : 0));
    RC_ASSERT(!penalties.step(TenantId{1}, now));
  }
}

}  // namespace
}  // namespace sluice::core
