#include "core/placement/path.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::core {

namespace {

bool usable(const PathFigures& path) {
  return path.ready && path.loaded;
}

}  // namespace

// The gravest first.
std::optional<PathCause> PathSelector::fault(const PathFigures& path) const {
  const PathThresholds& most = options_->leave;
  if (!usable(path)) return PathCause::kNotReady;
  if (path.failures_in_a_row >= options_->failures_in_a_row) return PathCause::kFailures;
  if (path.slowness > options_->leave_slowness) return PathCause::kLatency;
  if (path.utilisation > most.utilisation || path.queue > most.queue) return PathCause::kLoad;
  return std::nullopt;
}

bool PathSelector::enterable(const PathFigures& path) const {
  const PathThresholds& most = options_->enter;
  return usable(path) && path.utilisation <= most.utilisation && path.queue <= most.queue;
}

std::optional<PathSwitch> PathSelector::update(std::span<const PathFigures> figures,
                                               TimePoint now) {
  SLUICE_CHECK(figures.size() == paths_, "paths and their figures differ in number");
  if (const auto cause = fault(figures[current_])) {
    const auto to = way_out(figures, *cause, now);
    if (to) return move_to(*to, *cause, figures, now);
  }
  choose_probe(figures, now);
  if (!probing_ || successes_ < options_->probes) return std::nullopt;
  return move_to(*probing_, PathCause::kProbed, figures, now);
}

// Down to the next that is fit. Any other way, only from a path on which nothing works: up,
// unprobed and in spite of the hold, or else to one that failed earlier, as nobody knows whether it
// still does.
std::optional<std::uint32_t> PathSelector::way_out(std::span<const PathFigures> figures,
                                                   PathCause cause, TimePoint now) const {
  for (std::uint32_t path = current_ + 1; path < paths_; ++path) {
    if (!fault(figures[path])) return path;
  }
  const bool down = cause == PathCause::kNotReady || cause == PathCause::kFailures;
  if (!down || now < saturating_add(switched_, options_->least_stay)) return std::nullopt;
  std::optional<std::uint32_t> untried;
  for (std::uint32_t i = 1; i < paths_; ++i) {
    const std::uint32_t path = (current_ + i) % paths_;
    if (!fault(figures[path])) return path;
    if (!untried && usable(figures[path])) untried = path;
  }
  return untried;
}

void PathSelector::choose_probe(std::span<const PathFigures> figures, TimePoint now) {
  std::optional<std::uint32_t> candidate;
  if (now >= hold_until_) {
    for (std::uint32_t i = 0; i < current_ && !candidate; ++i) {
      const std::uint32_t path = (first_candidate_ + i) % current_;
      if (enterable(figures[path])) candidate = path;
    }
  }
  if (candidate != probing_) successes_ = 0;
  probing_ = candidate;
}

void PathSelector::probed(std::uint32_t path, bool success, TimePoint now) {
  if (path != probing_) return;
  if (success) {
    ++successes_;
    return;
  }
  successes_ = 0;
  probing_.reset();
  first_candidate_ = path + 1;
  hold_until_ = saturating_add(now, hold_);
}

PathSwitch PathSelector::move_to(std::uint32_t to, PathCause cause,
                                 std::span<const PathFigures> figures, TimePoint now) {
  if (to < current_) {
    went_up_ = now;
  } else {
    const bool too_soon = went_up_ && now - *went_up_ < options_->settle;
    hold_ = too_soon ? std::min(hold_ * 2, std::max(options_->longest_hold, options_->hold))
                     : options_->hold;
  }
  const PathSwitch record{.from = current_,
                          .to = to,
                          .cause = cause,
                          .left = figures[current_],
                          .entered = figures[to],
                          .hold = hold_};
  current_ = to;
  switched_ = now;
  hold_until_ = saturating_add(now, hold_);
  probing_.reset();
  successes_ = 0;
  first_candidate_ = 0;
  return record;
}

}  // namespace sluice::core
