#include "telemetry/adjustment_text.h"

#include <fmt/format.h>

#include <variant>

namespace sluice::telemetry {
namespace {

using core::Options;

std::string figures_of(const core::BreakerTransition& t) {
  switch (t.cause) {
    case core::BreakerCause::kConsecutiveFailures:
      return fmt::format(" ({} in a row)", t.failures_in_a_row);
    case core::BreakerCause::kFailureShare:
      return fmt::format(" ({:.0f} % of {:.0f})", 100 * t.failure_share, t.volume);
    case core::BreakerCause::kLatency:
      return fmt::format(" ({} in a row)", t.slow_in_a_row);
    default:
      return "";
  }
}

std::string text(const core::BreakerChange& c, const Options& options) {
  const std::string_view model = options.models[c.model.value].name;
  const std::string_view node = options.nodes[c.node.value].name;
  std::string line = fmt::format("breaker of {} on {}: {} to {}, {}{}", model, node,
                                 to_string(c.transition.from), to_string(c.transition.to),
                                 to_string(c.transition.cause), figures_of(c.transition));
  if (c.transition.to != core::BreakerState::kOpen) return line;
  return fmt::format("{}, for {:.0f} ms", line, to_ms(c.transition.open_for));
}

std::string figures_of(const core::PathSwitch& s) {
  const core::PathFigures& left = s.left;
  switch (s.cause) {
    case core::PathCause::kFailures:
      return fmt::format(" ({} in a row)", left.failures_in_a_row);
    case core::PathCause::kLatency:
      return fmt::format(" (P95 is {:.3g} of the budget)", left.slowness);
    case core::PathCause::kLoad:
      return fmt::format(" (utilisation {:.3g}, queue {:.3g})", left.utilisation, left.queue);
    default:
      return "";
  }
}

std::string text(const core::PathChange& c, const Options& options) {
  return fmt::format("path of {}: {} to {}, {}{}, held for {:.0f} ms",
                     options.models[c.model.value].name, options.paths[c.change.from],
                     options.paths[c.change.to], to_string(c.change.cause), figures_of(c.change),
                     to_ms(c.change.hold));
}

std::string text(const core::CorrectionChange& c, const Options& options) {
  return fmt::format("correction of {}: {:+d} to {:+d}, {} ({:.3g}, threshold {:.3g})",
                     options.task_types[c.kind.value], c.from, c.to, to_string(c.cause), c.figure,
                     c.threshold);
}

std::string text(const core::LaneWeightChange& c, const Options&) {
  return fmt::format("weight of lane {}: {:.3g} to {:.3g}, {} ({:.3g})", to_string(c.lane), c.from,
                     c.to, to_string(c.cause), c.figure);
}

std::string text(const core::ShareChange& c, const Options&) {
  return fmt::format("share of non-core tenants: {:.2g} to {:.2g}, load {:.3g} (threshold {:.3g})",
                     c.from, c.to, c.figure, c.threshold);
}

std::string text(const core::ModelShareChange& c, const Options& options) {
  return fmt::format("share of model {}: {:.2g} to {:.2g}, backlog {:.3g} (threshold {:.3g})",
                     options.models[c.model.value].name, c.change.from, c.change.to,
                     c.change.figure, c.change.threshold);
}

std::string figures_of(const core::ResidencyChange& c, const Options& options) {
  switch (c.cause) {
    case core::ResidencyCause::kColdStart:
    case core::ResidencyCause::kPenetration:
    case core::ResidencyCause::kGrowth:
      return fmt::format(" ({} waiting)", c.waiting);
    case core::ResidencyCause::kPrewarm:
      return fmt::format(" ({:.3g} urgent/s)", c.urgent_per_s);
    case core::ResidencyCause::kMakeRoom:
      return c.other.valid() ? fmt::format(" (for {})", options.models[c.other.value].name) : "";
    default:
      return fmt::format(" (after {:.0f} ms)", to_ms(c.lasted));
  }
}

std::string text(const core::ResidencyChange& c, const Options& options) {
  return fmt::format("{} on {}: {} to {}, {}{}", options.models[c.model.value].name,
                     options.nodes[c.node.value].name, to_string(c.from), to_string(c.to),
                     to_string(c.cause), figures_of(c, options));
}

std::string text(const core::PenaltyChange& c, const Options& options) {
  return fmt::format("penalty of tenant {}: level {} to {}, {} ({:.3g}, threshold {:.3g})",
                     options.tenants[c.tenant.value].name, c.from, c.to, to_string(c.most),
                     c.figure, c.threshold);
}

}  // namespace

std::string describe(const core::Adjusted& adjusted, const core::Options& options) {
  return std::visit([&](const auto& change) { return text(change, options); }, adjusted.change);
}

}  // namespace sluice::telemetry
