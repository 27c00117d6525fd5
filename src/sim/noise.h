// What a confused driver tells the core besides the truth: events that make no sense, which the
// core must count and ignore, and answers reported as something else, which it must bear.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/random.h"
#include "core/action.h"
#include "core/event.h"

namespace sluice::sim {

enum class Senseless : std::uint8_t {
  kUnknownAttempt,     // the end of an attempt that never was
  kSecondCompletion,   // of an attempt whose end was told
  kLostAfterEnd,       // the same, as lost
  kStartAfterEnd,      // the first byte of an answer that is over
  kUnknownTask,        // the leaving of a caller who never was
  kCancelAfterFinish,  // of one who has been answered
  kUnknownNode,        // a report from a node that does not exist
  kNegativeFigure,     // a round trip of less than nothing
  kNoFigure,           // a utilisation that is none: NaN, negative, above 1
  kFutureFigure,       // one that will be measured
  kTimeBack,           // a tick from the past
};
inline constexpr std::array<std::string_view, 11> kSenselessNames{
    "unknown attempt", "second completion",      "lost after end", "start after end",
    "unknown task",    "cancel after finish",    "unknown node",   "negative figure",
    "no figure",       "figure from the future", "time back"};

struct NoiseOptions {
  double senseless = 0;  // share of events that one follows that makes no sense
  double garbled = 0;    // share of answers that are reported as something else, or as lost
  double started = 0;    // share of answers whose first byte is reported by itself
};

class Noise {
 public:
  Noise(const NoiseOptions& options, std::uint64_t seed)
      : options_(options), random_(seed), truth_random_(~seed) {}

  struct Remark {
    Senseless kind = Senseless::kTimeBack;
    core::Event event;
    Duration late{0};  // its time lies so far back
  };
  // After each event that was told: what the driver says besides, mostly nothing.
  std::optional<Remark> after(const core::Event& event, std::span<const core::Action> actions);

  // What the end of an attempt is told as.
  core::Event garbled(const core::AttemptFinished& truth);
  bool tells_start() { return options_.started > 0 && truth_random_.uniform() < options_.started; }

 private:
  void remember(const core::Event& event, std::span<const core::Action> actions);
  std::optional<core::Event> senseless(Senseless kind);
  core::NodeFiguresReport figures(double share, Duration age);
  template <class Id>
  Id any() {
    return Id::unpack(random_.next());
  }

  NoiseOptions options_;
  Random random_;
  Random truth_random_;  // what is told as true does not depend on what is said besides
  std::optional<core::AttemptId> ended_attempt_;
  std::optional<core::TaskId> ended_task_;
  std::optional<core::NodeReport> report_;
};

}  // namespace sluice::sim
