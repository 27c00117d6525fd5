// How often a model may change its path, whatever its figures do and however its probes go.
#include "core/placement/path.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace sluice::core {
namespace {

struct Step {
  std::uint32_t after_ms = 0;
  std::uint32_t path = 0;
  std::uint32_t change = 0;
  bool probe_succeeds = true;
};

std::ostream& operator<<(std::ostream& out, const Step& s) {
  return out << "after " << s.after_ms << " ms: path " << s.path << ", change " << s.change
             << ", probe " << s.probe_succeeds;
}

std::vector<Step> any_steps(std::uint32_t paths) {
  return *rc::gen::container<std::vector<Step>>(
      rc::gen::build<Step>(rc::gen::set(&Step::after_ms, rc::gen::inRange(0U, 3'000U)),
                           rc::gen::set(&Step::path, rc::gen::inRange(0U, paths)),
                           rc::gen::set(&Step::change, rc::gen::inRange(0U, 8U)),
                           rc::gen::set(&Step::probe_succeeds,
                                        rc::gen::weightedElement<bool>({{3, true}, {1, false}}))));
}

void change(PathFigures& path, std::uint32_t what, bool may_die) {
  path = {.ready = true, .loaded = true};
  if (what == 1) path.utilisation = 1;
  if (what == 2) path.queue = 1;
  if (what == 3) path.slowness = 2;
  if (may_die && what == 4) path.failures_in_a_row = 3;
  if (may_die && what == 5) path.ready = false;
  if (may_die && what == 6) path.loaded = false;
}

// The moments of all switches of a run. Paths below the hot one die only if they may.
std::vector<TimePoint> switches(std::uint32_t paths, const PathOptions& options, bool all_may_die) {
  PathSelector selector(options, paths);
  std::vector<PathFigures> figures(paths, PathFigures{.ready = true, .loaded = true});
  std::vector<TimePoint> moments;
  TimePoint now{std::chrono::hours(1)};
  for (const Step& step : any_steps(paths)) {
    now += std::chrono::milliseconds(step.after_ms);
    change(figures[step.path], step.change, all_may_die || step.path == 0);
    const auto before = selector.current();
    const auto record = selector.update(figures, now);
    RC_ASSERT(record.has_value() == (selector.current() != before));
    if (record) {
      RC_ASSERT(figures[record->to].ready && figures[record->to].loaded);
      moments.push_back(now);
    }
    if (const auto probe = selector.to_probe()) {
      RC_ASSERT(*probe < selector.current());
      selector.probed(*probe, step.probe_succeeds, now);
    }
  }
  return moments;
}

void assert_bounded(const std::vector<TimePoint>& moments, std::uint32_t paths, Duration apart) {
  for (std::size_t first = 0; first < moments.size(); ++first) {
    for (std::size_t last = first; last < moments.size(); ++last) {
      const double spans = (moments[last] - moments[first]) / apart;
      RC_ASSERT(static_cast<double>(last - first + 1) <= paths * (spans + 2));
    }
  }
}

RC_GTEST_PROP(PathProperty, SwitchesAreHoldApartWhileOtherPathsLive, ()) {
  const auto paths = *rc::gen::inRange(1U, 4U);
  const PathOptions options{.hold = std::chrono::seconds(3), .probes = 1};
  assert_bounded(switches(paths, options, false), paths, options.hold);
}

RC_GTEST_PROP(PathProperty, SwitchesAreLeastStayApartWhatever, ()) {
  const auto paths = *rc::gen::inRange(1U, 4U);
  const PathOptions options{.hold = std::chrono::seconds(3), .probes = 1};
  assert_bounded(switches(paths, options, true), paths, options.least_stay);
}

}  // namespace
}  // namespace sluice::core
