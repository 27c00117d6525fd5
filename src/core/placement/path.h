// Which of a model's paths its tasks take: hot first, cold when hot fails, and back (R28).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/time.h"
#include "core/ids.h"
#include "core/placement/path_options.h"

namespace sluice::core {

// What is known of the nodes of a path, for one model. NaN is "unknown": it neither makes a path
// left nor lets it be entered.
struct PathFigures {
  bool ready = false;      // some node of it is
  bool loaded = false;     // the model is, on one that is ready
  double utilisation = 0;  // of its devices, 0..1
  double queue = 0;        // attempts waiting there ÷ what may wait, 0..1
  // P95 of the latency of its attempts of late ÷ budget; 0 without any.
  double slowness = 0;
  // Attempts without a success between them, probes among them.
  std::uint32_t failures_in_a_row = 0;
};

enum class PathCause : std::uint8_t {
  kNotReady,  // or not loaded
  kFailures,
  kLatency,
  kLoad,    // utilisation or queue
  kProbed,  // a better path is back
};

inline constexpr std::array<std::string_view, 5> kPathCauseNames{"not_ready", "failures", "latency",
                                                                 "load", "probed"};
constexpr std::string_view to_string(PathCause c) {
  return kPathCauseNames[static_cast<int>(c)];
}

// With the figures that caused it, for the audit log (R30).
struct PathSwitch {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  PathCause cause = PathCause::kNotReady;
  PathFigures left;
  PathFigures entered;
  Duration hold{0};  // until a better path is probed, at the earliest
};

// A model takes another path. `from` and `to` are positions in Options::paths.
struct PathChange {
  ModelId model;
  PathSwitch change;
};

// Paths are numbered in their configured order, hot first. Down at once, to the next path that is
// fit; up only after a hold and by probes. Where no other path is fit it stays where it is.
//
// Bound: a switch up comes `hold` after the one before it, at least, and between two of them there
// are at most paths − 1 down: in any span at most paths × (span ÷ hold + 2) switches. While paths
// come and go entirely, `least_stay` takes the place of `hold`.
//
// O(paths) a call.
class PathSelector {
 public:
  // Starts on the hot path, or on the first that the model has nodes on: those before it must never
  // be ready. paths ≥ 1; `options` must outlive it.
  PathSelector(const PathOptions& options, std::uint32_t paths, std::uint32_t first = 0)
      : options_(&options), paths_(paths), current_(first), hold_(options.hold) {}

  // Call when a figure has changed, and at next_change(). One entry a path.
  std::optional<PathSwitch> update(std::span<const PathFigures> figures, TimePoint now);

  std::uint32_t current() const { return current_; }
  // The better path that should be probed, as of the last update(): one task, or one health check
  // that runs the model, at a time. Probes and their results are the caller's.
  std::optional<std::uint32_t> to_probe() const { return probing_; }
  // How a probe went. A failed one starts the hold anew, and the next better path has its turn.
  void probed(std::uint32_t path, bool success, TimePoint now);

  // When time alone may bring a probe; kNever when nothing is held back.
  TimePoint next_change() const { return current_ == 0 || probing_ ? kNever : hold_until_; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, paths, current, first_candidate, successes, probing, hold, hold_until, switched,
           went_up] = self;
    archive(current, first_candidate, successes, probing, hold, hold_until, switched, went_up);
  }

 private:
  std::optional<PathCause> fault(const PathFigures& path) const;
  bool enterable(const PathFigures& path) const;
  std::optional<std::uint32_t> way_out(std::span<const PathFigures> figures, PathCause cause,
                                       TimePoint now) const;
  void choose_probe(std::span<const PathFigures> figures, TimePoint now);
  PathSwitch move_to(std::uint32_t to, PathCause cause, std::span<const PathFigures> figures,
                     TimePoint now);

  const PathOptions* options_;
  std::uint32_t paths_;
  std::uint32_t current_ = 0;
  std::uint32_t first_candidate_ = 0;  // whose turn it is to be probed
  std::uint32_t successes_ = 0;        // of probing_, in a row
  std::optional<std::uint32_t> probing_;
  Duration hold_;
  TimePoint hold_until_ = TimePoint::min();
  TimePoint switched_ = TimePoint::min();
  std::optional<TimePoint> went_up_;
};

}  // namespace sluice::core
