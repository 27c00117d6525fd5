#include "sim/noise.h"

#include <cmath>
#include <variant>

namespace sluice::sim {

std::optional<Noise::Remark> Noise::after(const core::Event& event,
                                          std::span<const core::Action> actions) {
  if (options_.senseless <= 0) return std::nullopt;
  remember(event, actions);
  if (random_.uniform() >= options_.senseless) return std::nullopt;
  const Senseless kind{static_cast<std::uint8_t>(random_.below(kSenselessNames.size()))};
  const auto said = senseless(kind);
  if (!said) return std::nullopt;
  Remark remark{.kind = kind, .event = *said};
  if (kind == Senseless::kTimeBack) remark.late = Duration(1 + random_.below(2'000'000'000));
  return remark;
}

void Noise::remember(const core::Event& event, std::span<const core::Action> actions) {
  if (const auto* finished = std::get_if<core::AttemptFinished>(&event)) {
    ended_attempt_ = finished->attempt;
  }
  if (const auto* report = std::get_if<core::NodeReport>(&event)) report_ = *report;
  for (const core::Action& action : actions) {
    if (const auto* finish = std::get_if<core::Finish>(&action)) ended_task_ = finish->task;
  }
}

std::optional<core::Event> Noise::senseless(Senseless kind) {
  switch (kind) {
    case Senseless::kUnknownAttempt:
      return core::AttemptFinished{any<core::AttemptId>(), core::AttemptResult::kAnswered};
    case Senseless::kSecondCompletion:
      if (!ended_attempt_) return std::nullopt;
      return core::AttemptFinished{*ended_attempt_, core::AttemptResult::kError};
    case Senseless::kLostAfterEnd:
      if (!ended_attempt_) return std::nullopt;
      return core::AttemptLost{*ended_attempt_};
    case Senseless::kStartAfterEnd:
      if (!ended_attempt_) return std::nullopt;
      return core::AnswerStarted{*ended_attempt_};
    case Senseless::kUnknownTask:
      return core::Cancelled{any<core::TaskId>()};
    case Senseless::kCancelAfterFinish:
      if (!ended_task_) return std::nullopt;
      return core::Cancelled{*ended_task_};
    case Senseless::kUnknownNode:
      return core::NodeReport{.node = {core::NodeId::kNoValue - random_.below(1000)},
                              .ready = random_.below(2) == 0,
                              .round_trip = std::chrono::milliseconds(5)};
    case Senseless::kNegativeFigure:
      if (!report_) return std::nullopt;
      return core::NodeReport{.node = report_->node,
                              .ready = report_->ready,
                              .round_trip = -Duration(1 + random_.below(1'000'000'000))};
    case Senseless::kNoFigure:
      return figures(std::array{std::nan(""), -0.5, 1.5}[random_.below(3)], Duration::zero());
    case Senseless::kFutureFigure:
      return figures(0.5, -Duration(1 + random_.below(1'000'000'000)));
    case Senseless::kTimeBack:
      return core::Tick{};
  }
  return std::nullopt;
}

core::NodeFiguresReport Noise::figures(double share, Duration age) {
  const core::NodeId known = report_ ? report_->node : core::NodeId{0};
  return {.node = known, .utilisation = share, .memory = share, .age = age};
}

core::Event Noise::garbled(const core::AttemptFinished& truth) {
  constexpr std::array kResults{core::AttemptResult::kRejected, core::AttemptResult::kError,
                                core::AttemptResult::kBusy,     core::AttemptResult::kUnreachable,
                                core::AttemptResult::kTimeout,  core::AttemptResult::kBadAnswer};
  if (options_.garbled <= 0 || truth_random_.uniform() >= options_.garbled) return truth;
  const std::uint32_t to = truth_random_.below(kResults.size() + 1);
  if (to == kResults.size()) return core::AttemptLost{truth.attempt};
  return core::AttemptFinished{truth.attempt, kResults[to]};
}

}  // namespace sluice::sim
