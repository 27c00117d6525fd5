#include "sim/coverage.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>
#include <variant>

#include "core/outcome.h"

namespace sluice::sim {
namespace {

// Most tasks that the core ends or dispatches in one call.
constexpr std::ptrdiff_t kTasksPerCall = 256;

constexpr std::array<std::string_view, 9> kAttemptNames{"answered",   "rejected",    "error",
                                                        "busy",       "unreachable", "timeout",
                                                        "bad answer", "stopped",     "lost"};
constexpr std::size_t kLost = 8;
// From Reason::kReplicaError on.
constexpr std::array<std::string_view, 5> kAgainNames{"error", "busy", "unreachable", "timeout",
                                                      "bad answer"};
constexpr std::array<std::string_view, 6> kOutwardNames{"",        "failures", "load",
                                                        "latency", "drops",    ""};
constexpr std::array<std::string_view, 6> kBackNames{"",        "failures", "load",
                                                     "latency", "drops",    "idle"};
constexpr std::array<std::string_view, 2> kShareNames{"shrinks", "recovers"};
constexpr std::array<std::string_view, 4> kPenaltyNames{"harder", "milder", "suspended",
                                                        "let back"};

enum Other : std::uint8_t {
  kPreempted,
  kPromoted,
  kHedged,
  kSentAtOnce,
  kSentAfterWaiting,
  kCancelledWaiting,
  kCancelledRunning,
  kMassExpiry,
  kMassDispatch,
  kMoreCreditsThanSlots,
  kRuleNamed,
  kDegraded,
  kPlacedByTime,
  kWaitsForBusy,
  kHopeless,
};
constexpr std::array<std::string_view, 15> kOtherNames{"preempted",
                                                       "promoted",
                                                       "hedged",
                                                       "sent at once",
                                                       "sent after waiting",
                                                       "cancelled waiting",
                                                       "cancelled running",
                                                       "256 expired at once",
                                                       "256 sent at once",
                                                       "more credits than slots",
                                                       "refused by a rule with its name",
                                                       "degraded",
                                                       "placed where only time was asked for",
                                                       "waits for a busy node",
                                                       "given up"};

struct Names {
  std::string_view kind;
  std::span<const std::string_view> of;  // an empty name: does not occur
};

const std::array<Names, 15> kNames{{{"outcome", core::kOutcomeNames},
                                    {"reason", core::kReasonNames},
                                    {"attempt", kAttemptNames},
                                    {"tried again after", kAgainNames},
                                    {"breaker", core::kBreakerCauseNames},
                                    {"corrected for", kOutwardNames},
                                    {"corrected back after", kBackNames},
                                    {"lane weight", core::kWeightCauseNames},
                                    {"share of tenants", kShareNames},
                                    {"share of a model", kShareNames},
                                    {"penalty", kPenaltyNames},
                                    {"model", core::kResidencyCauseNames},
                                    {"path left or entered", core::kPathCauseNames},
                                    {"nonsense", kSenselessNames},
                                    {"tasks", kOtherNames}}};

}  // namespace

void Coverage::after(const Step& step) {
  count_event(step);
  for (const core::Action& action : step.actions) {
    std::visit([&](const auto& a) { count(a, step); }, action);
  }
  if (step.actions.size() >= kTasksPerCall) count_size(step);
}

void Coverage::count_event(const Step& step) {
  if (const auto* finished = std::get_if<core::AttemptFinished>(&step.event)) {
    hit(Kind::kAttempt, finished->result);
  }
  if (std::holds_alternative<core::AttemptLost>(step.event)) hit(Kind::kAttempt, kLost);
  const std::uint64_t hedges = step.scheduler.counters().hedges;
  if (hedges > hedges_) hit(Kind::kOther, kHedged);
  hedges_ = hedges;
}

void Coverage::count_size(const Step& step) {
  const auto expired = [](const core::Action& action) {
    const auto* const finish = std::get_if<core::Finish>(&action);
    return finish != nullptr && finish->outcome == core::Outcome::kExpired;
  };
  const auto sent = [](const core::Action& action) {
    return std::holds_alternative<core::Dispatch>(action);
  };
  const auto& actions = step.actions;
  if (std::count_if(actions.begin(), actions.end(), expired) >= kTasksPerCall) {
    hit(Kind::kOther, kMassExpiry);
  }
  if (std::count_if(actions.begin(), actions.end(), sent) >= kTasksPerCall) {
    hit(Kind::kOther, kMassDispatch);
  }
}

void Coverage::count(const core::AdmissionRecord& record, const Step&) {
  if (record.degraded && record.reason == core::Reason::kNone) hit(Kind::kOther, kDegraded);
}

void Coverage::count(const core::PlacementRecord& record, const Step&) {
  const bool by_time = record.listed > 0 && record.best[0].has(core::Mark::kByTime);
  if (record.verdict == core::Verdict::kHopeless) hit(Kind::kOther, kHopeless);
  if (!by_time) return;
  if (record.verdict == core::Verdict::kRun) hit(Kind::kOther, kPlacedByTime);
  if (record.verdict == core::Verdict::kWait) hit(Kind::kOther, kWaitsForBusy);
}

void Coverage::count(const core::Dispatch& dispatch, const Step& step) {
  const auto* const submitted = std::get_if<core::Submitted>(&step.event);
  const bool at_once = submitted != nullptr && submitted->request == dispatch.request;
  hit(Kind::kOther, at_once ? kSentAtOnce : kSentAfterWaiting);
  const core::NodeView node = step.scheduler.node(dispatch.node);
  const bool learnt = !step.scheduler.options().nodes[dispatch.node.value].credits;
  if (learnt && node.credits > node.slots) hit(Kind::kOther, kMoreCreditsThanSlots);
}

void Coverage::count(const core::Promoted&, const Step&) {
  hit(Kind::kOther, kPromoted);
}

void Coverage::count(const core::Requeued& requeued, const Step&) {
  if (requeued.cause == core::Reason::kNone) return hit(Kind::kOther, kPreempted);
  hit(Kind::kAgain, static_cast<std::size_t>(requeued.cause) -
                        static_cast<std::size_t>(core::Reason::kReplicaError));
}

void Coverage::count(const core::Finish& finish, const Step& step) {
  hit(Kind::kOutcome, finish.outcome);
  hit(Kind::kReason, finish.reason);
  if (finish.rule.valid()) hit(Kind::kOther, kRuleNamed);
  if (finish.outcome != core::Outcome::kCancelled) return;
  const bool ran = std::any_of(step.actions.begin(), step.actions.end(), [](const auto& action) {
    return std::holds_alternative<core::CancelAttempt>(action);
  });
  hit(Kind::kOther, ran ? kCancelledRunning : kCancelledWaiting);
}

void Coverage::count(const core::Adjusted& adjusted, const Step&) {
  std::visit([this](const auto& change) { count_change(change); }, adjusted.change);
}

void Coverage::count_change(const core::BreakerChange& change) {
  hit(Kind::kBreaker, change.transition.cause);
}

void Coverage::count_change(const core::CorrectionChange& change) {
  const bool outward = std::abs(change.to) > std::abs(change.from);
  hit(outward ? Kind::kCorrected : Kind::kCorrectedBack, change.cause);
}

void Coverage::count_change(const core::LaneWeightChange& change) {
  hit(Kind::kWeight, change.cause);
}

void Coverage::count_change(const core::ShareChange& change) {
  hit(Kind::kShare, change.to < change.from ? std::size_t{0} : std::size_t{1});
}

void Coverage::count_change(const core::ModelShareChange& change) {
  hit(Kind::kModelShare, change.change.to < change.change.from ? std::size_t{0} : std::size_t{1});
}

void Coverage::count_change(const core::PenaltyChange& change) {
  const bool up = change.to > change.from;
  hit(Kind::kPenalty, up ? std::size_t{0} : std::size_t{1});
  const bool suspension = std::max(change.to, change.from) + 1 == core::kPenaltyLevels;
  if (suspension) hit(Kind::kPenalty, up ? std::size_t{2} : std::size_t{3});
}

void Coverage::count_change(const core::ResidencyChange& change) {
  hit(Kind::kModel, change.cause);
}

void Coverage::add_senseless(const std::array<std::uint64_t, kSenselessNames.size()>& told) {
  auto& counts = counts_[static_cast<std::size_t>(Kind::kSenseless)];
  for (std::size_t kind = 0; kind < told.size(); ++kind) counts[kind] += told[kind];
}

void Coverage::add(const Coverage& other) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (std::size_t i = 0; i < kMostOfAKind; ++i) counts_[kind][i] += other.counts_[kind][i];
  }
}

std::vector<Coverage::Branch> Coverage::branches() const {
  std::vector<Branch> all;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const Names& names = kNames[kind];
    for (std::size_t i = 0; i < names.of.size(); ++i) {
      if (names.of[i].empty()) continue;
      all.push_back({std::string(names.kind) + ": " + std::string(names.of[i]), counts_[kind][i]});
    }
  }
  return all;
}

}  // namespace sluice::sim
