// A scheduler is written down, read back, and goes on as if nothing had been.
#include "core/snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/state/shape.h"
#include "core/state/writer.h"
#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Bytes = std::vector<std::byte>;
using Said = SteppedScheduler::Said;

constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kLengthAt = 20;
constexpr std::size_t kStateAt = 28;

Options some_options() {
  Options options = small_options(2, 3);
  options.nodes[0].kind = options.nodes[1].kind = "gpu";
  options.nodes[2].managed = true;
  options.models[0].hedge = true;
  options.tenants.push_back({.name = "other", .limits = {.rate_rps = 5, .device_share = 0.5}});
  options.rule_limits.rules = 4;
  return options;
}

Bytes saved(const Scheduler& scheduler) {
  Bytes bytes;
  scheduler.save(bytes);
  return bytes;
}

// Takes its place in the middle of whatever goes on.
void restore(SteppedScheduler& s) {
  const Bytes bytes = saved(s.scheduler());
  Restored restored = Scheduler::restore(s.scheduler().options(), bytes);
  ASSERT_EQ(restored.error, SnapshotError::kNone) << to_string(restored.error);
  EXPECT_EQ(saved(*restored.scheduler), bytes);
  restored.scheduler->check_invariants();
  s.scheduler() = *std::move(restored.scheduler);
}

SnapshotError error_of(const Bytes& bytes, const Options& options = some_options()) {
  Restored restored = Scheduler::restore(options, bytes);
  EXPECT_EQ(restored.scheduler.has_value(), restored.error == SnapshotError::kNone);
  return restored.error;
}

// Something of everything: waiting, running, learnt.
Bytes a_snapshot() {
  SteppedScheduler s(some_options());
  s.all_ready().teach(10ms);
  for (std::uint64_t request = 1; request <= 9; ++request) {
    s.submit(request, asking(static_cast<Priority>(request), 10s, request % 2));
  }
  s.finish(1, AttemptResult::kError);
  return saved(s.scheduler());
}

// The length and checksum that make whole bytes of it.
Bytes with_state(const Bytes& of, const Bytes& state) {
  Bytes bytes(of.begin(), of.begin() + kLengthAt);
  state::Writer write(bytes);
  write(std::uint64_t{state.size()});
  bytes.insert(bytes.end(), state.begin(), state.end());
  write(state::checksum(bytes));
  return bytes;
}

Bytes state_of(const Bytes& bytes) {
  return {bytes.begin() + kStateAt, bytes.end() - 8};
}

TEST(Snapshot, GoesOnWhereItStood) {
  SteppedScheduler s(small_options(1, 1));
  s.all_ready().teach(10ms);
  EXPECT_EQ(s.submit(1, asking(5, 10s)), (Said{"dispatch 1 to 0"}));
  EXPECT_EQ(s.submit(2, asking(8, 10s)), (Said{"queued 2"}));
  EXPECT_EQ(s.submit(3, asking(1, 10s)), (Said{"queued 3"}));
  restore(s);
  EXPECT_EQ(s.scheduler().counters().waiting, 2u);
  EXPECT_EQ(s.cancel(2), (Said{"finish 2 cancelled caller_gone"}));
  restore(s);
  EXPECT_EQ(s.finish(1), (Said{"finish 1 completed", "dispatch 3 to 0"}));
}

TEST(Snapshot, OfOneThatHasHeardNothingYet) {
  Scheduler fresh(some_options());
  Restored restored = Scheduler::restore(some_options(), saved(fresh));
  ASSERT_EQ(restored.error, SnapshotError::kNone);
  EXPECT_EQ(restored.scheduler->next_wakeup(), kNever);
}

TEST(Snapshot, ReplacesWhatTheBytesHeld) {
  Scheduler fresh(some_options());
  Bytes bytes(100, std::byte{1});
  fresh.save(bytes);
  EXPECT_EQ(bytes, saved(fresh));
}

// Rules are options at first, and state from the first change on (R5).
TEST(Snapshot, KeepsRulesThatWereChangedMeanwhile) {
  Options options = small_options();
  options.rules = {{.name = "first", .effect = {.refuse = true}, .reason = "closed"}};
  SteppedScheduler s(options);
  s.all_ready();
  const RuleId first = s.scheduler().rules().front();
  Rule limit{.name = "second", .effect = {.rate = RateLimit{.per_s = 10, .burst = 1}}};
  s.tell(RuleChange{.rule = &limit, .position = RuleBook::kAtEnd});
  s.tell(RuleChange{.kind = RuleChange::Kind::kRemove, .id = first});
  EXPECT_EQ(s.submit(1, asking(5, 10s)), (Said{"dispatch 1 to 0"}));
  restore(s);
  const RuleId second = s.rule_answers().front().id;
  EXPECT_EQ(s.scheduler().rule(first), nullptr);
  EXPECT_EQ(s.scheduler().rule(second)->name, "second");
  EXPECT_EQ(s.submit(2, asking(5, 10s)), (Said{"finish 2 refused rule_rate_limited"}));
  // Its slot has had one rule before, and the next has another generation.
  s.tell(RuleChange{.kind = RuleChange::Kind::kRemove, .id = second});
  s.tell(RuleChange{.rule = &limit, .position = RuleBook::kAtEnd});
  EXPECT_NE(s.rule_answers().back().id, second);
}

TEST(Snapshot, KeepsTheRulesOfTenants) {
  SteppedScheduler s(some_options());
  s.all_ready();
  const RuleScope tenant = RuleScope::of(TenantId{1});
  const Rule rule{.name = "own", .scope = tenant, .effect = {.refuse = true}, .reason = "closed"};
  s.tell(RuleChange{.as = tenant, .rule = &rule, .position = RuleBook::kAtEnd});
  restore(s);
  Labels labels = asking(5, 10s);
  EXPECT_EQ(s.submit(1, labels), (Said{"dispatch 1 to 0"}));
  labels.tenant = TenantId{1};
  EXPECT_EQ(s.submit(2, labels), (Said{"finish 2 refused rule_refused"}));
}

TEST(Snapshot, KeepsBreakersOpenUntilTheirTime) {
  Options options = small_options(2, 1);
  options.retry.most_attempts = 1;
  options.breaker.consecutive_failures = 2;
  options.nodes[0].credits = 1;
  SteppedScheduler s(options);
  s.all_ready();
  for (const std::uint64_t request : {1, 2, 3}) s.submit(request, asking(5, 10s, 1));
  EXPECT_EQ(s.finish(1, AttemptResult::kError),
            (Said{"finish 1 failed replica_error", "dispatch 2 to 0"}));
  EXPECT_EQ(s.finish(2, AttemptResult::kError), (Said{"finish 2 failed replica_error"}));
  const TimePoint opened = s.now();
  restore(s);
  while (s.now() < opened + options.breaker.open_for) {
    EXPECT_EQ(s.tick(), Said{});
    ASSERT_LE(s.scheduler().next_wakeup(), opened + options.breaker.open_for);
    s.set_now(s.scheduler().next_wakeup());
  }
  EXPECT_EQ(s.tick(), (Said{"dispatch 3 to 0"}));
}

TEST(Snapshot, KeepsWhatWasLoadedWhere) {
  Options options = small_options(2, 1);
  options.nodes[0].managed = true;
  SteppedScheduler s(options);
  s.all_ready();
  EXPECT_EQ(s.submit(1, asking(1, 10s)), (Said{"queued 1", "load 0 at 0"}));
  restore(s);
  EXPECT_EQ(s.loaded(0, 0), (Said{"dispatch 1 to 0"}));
  restore(s);
  EXPECT_EQ(s.scheduler().residency(NodeId{0}, ModelId{0}), ResidencyState::kLoaded);
}

TEST(Snapshot, IsTheSameBytesForTheSameEvents) {
  EXPECT_EQ(a_snapshot(), a_snapshot());
}

TEST(Snapshot, SaysWhatIsWrongWithIt) {
  const Bytes good = a_snapshot();
  EXPECT_EQ(error_of(good), SnapshotError::kNone);
  EXPECT_EQ(error_of({}), SnapshotError::kNotASnapshot);
  EXPECT_EQ(error_of(Bytes(1'000)), SnapshotError::kNotASnapshot);
  Bytes other_version = good;
  other_version[kVersionAt] ^= std::byte{0xff};
  EXPECT_EQ(error_of(other_version), SnapshotError::kOtherVersion);
  Bytes longer = good;
  longer.push_back(std::byte{0});
  EXPECT_EQ(error_of(longer), SnapshotError::kDamaged);
  Bytes state = state_of(good);
  EXPECT_EQ(error_of(with_state(good, state)), SnapshotError::kNone);
  state.push_back(std::byte{0});
  EXPECT_EQ(error_of(with_state(good, state)), SnapshotError::kDamaged);
  for (const std::string_view text : kSnapshotErrorTexts) {
    EXPECT_EQ(std::count(kSnapshotErrorTexts.begin(), kSnapshotErrorTexts.end(), text), 1);
  }
}

TEST(Snapshot, BelongsToItsOptions) {
  const Bytes good = a_snapshot();
  const auto with = [&](auto change) {
    Options options = some_options();
    change(options);
    return error_of(good, options);
  };
  const auto other = SnapshotError::kOtherOptions;
  EXPECT_EQ(with([](Options& o) { o.models[1].name = "renamed"; }), other);
  EXPECT_EQ(with([](Options& o) { o.models.push_back({.task_type = TaskTypeId{0}}); }), other);
  EXPECT_EQ(with([](Options& o) { o.models[0].memory_bytes = 1; }), other);
  EXPECT_EQ(with([](Options& o) { o.nodes[2].slots = 2; }), other);
  EXPECT_EQ(with([](Options& o) { o.nodes[2].managed = false; }), other);
  EXPECT_EQ(with([](Options& o) { o.nodes[2].pinned = {ModelId{1}}; }), other);
  EXPECT_EQ(with([](Options& o) { o.nodes[0].models.pop_back(); }), other);
  EXPECT_EQ(with([](Options& o) { o.nodes[0].service_class = Realtime::kHigh; }), other);
  EXPECT_EQ(with([](Options& o) { o.tenants.pop_back(); }), other);
  EXPECT_EQ(with([](Options& o) { o.task_types.emplace_back("sound"); }), other);
  EXPECT_EQ(with([](Options& o) { o.paths = {"hot"}; }), other);
  EXPECT_EQ(with([](Options& o) { o.lanes[0].capacity = 5; }), other);
  EXPECT_EQ(with([](Options& o) { o.lanes[2].saturation = Saturation::kShed; }), other);
  EXPECT_EQ(with([](Options& o) { o.policy.ordering = Ordering::kArrival; }), other);
  EXPECT_EQ(with([](Options& o) { o.rule_limits.rules = 5; }), other);
  // Figures are not looked at.
  EXPECT_EQ(with([](Options& o) { o.breaker.min_volume = 7; }), SnapshotError::kNone);
  EXPECT_EQ(with([](Options& o) { o.models[0].budget = 1s; }), SnapshotError::kNone);
}

TEST(Snapshot, CutShortAnywhereIsAnError) {
  const Bytes good = a_snapshot();
  for (std::size_t length = 1; length < good.size(); ++length) {
    EXPECT_EQ(error_of(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length))),
              SnapshotError::kCutShort)
        << length;
  }
}

TEST(Snapshot, ABitThatWasTurnedIsAnError) {
  const Bytes good = a_snapshot();
  for (std::size_t at = 0; at < good.size(); ++at) {
    Bytes bad = good;
    bad[at] ^= std::byte{0x10};
    EXPECT_NE(error_of(bad), SnapshotError::kNone) << at;
  }
}

// With a right checksum, as if somebody had meant it: what does not fit together is found, and
// nothing is read beyond the bytes.
TEST(Snapshot, AStateThatEndsTooSoonIsAnError) {
  const Bytes good = a_snapshot();
  const Bytes state = state_of(good);
  for (std::size_t length = 0; length < state.size(); length += 7) {
    const Bytes cut(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_EQ(error_of(with_state(good, cut)), SnapshotError::kDamaged) << length;
  }
}

TEST(Snapshot, HugeLengthsAndOtherNonsenseHarmNobody) {
  const Bytes good = a_snapshot();
  const Bytes state = state_of(good);
  for (std::size_t at = 0; at + 8 <= state.size(); at += 5) {
    Bytes bad = state;
    std::fill_n(bad.begin() + static_cast<std::ptrdiff_t>(at), 8, std::byte{0xff});
    // A number may be any; read in full and written again it is the same, or it is an error.
    Restored restored = Scheduler::restore(some_options(), with_state(good, bad));
    if (!restored.scheduler) continue;
    EXPECT_EQ(state_of(saved(*restored.scheduler)), bad) << at;
  }
}

TEST(Snapshot, AHugeLengthOfTheWholeIsCutShort) {
  Bytes bytes = a_snapshot();
  std::fill_n(bytes.begin() + kLengthAt, 8, std::byte{0xff});
  EXPECT_EQ(error_of(bytes), SnapshotError::kCutShort);
}

}  // namespace
}  // namespace sluice::core
