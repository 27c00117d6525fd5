// The metrics of one Sluice process (R40), as Prometheus reads them. docs/metrics.md lists them.
#pragma once

#include <string>
#include <string_view>

#include "core/action.h"
#include "core/scheduler.h"
#include "telemetry/adjustment_metrics.h"
#include "telemetry/model_metrics.h"
#include "telemetry/task_metrics.h"

namespace sluice::telemetry {

// Counters are pushed by the driver as tasks end; gauges are pulled from the scheduler when
// somebody asks. One thread, the scheduler's: no locks, no atomics.
class Metrics {
 public:
  // The media type of what expose() returns.
  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

  // `scheduler` must outlive this.
  explicit Metrics(const core::Scheduler& scheduler)
      : scheduler_(scheduler), adjustments_(scheduler.options()) {}

  // Once for every Finish; see TaskMetrics.
  void on_finish(const core::Finish& finish, TimePoint now) { tasks_.on_finish(finish, now); }

  // Once for every Requeued.
  void on_requeued(const core::Requeued& requeued) { tasks_.on_requeued(requeued); }

  // Once for every Adjusted.
  void on_adjusted(const core::Adjusted& adjusted) {
    adjustments_.on_adjusted(adjusted);
    models_.on_adjusted(adjusted);
  }

  // Everything in the Prometheus text format. Between two events only. O(lanes + nodes + models),
  // about 1 ms with a thousand nodes.
  std::string expose() const;

 private:
  const core::Scheduler& scheduler_;
  TaskMetrics tasks_;
  ModelMetrics models_;
  AdjustmentMetrics adjustments_;
};

}  // namespace sluice::telemetry
