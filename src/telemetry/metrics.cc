#include "telemetry/metrics.h"

#include <prometheus/text_serializer.h>

#include "telemetry/process_metrics.h"
#include "telemetry/scheduler_metrics.h"

namespace sluice::telemetry {

std::string Metrics::expose() const {
  Families families;
  tasks_.collect(families);
  models_.collect(scheduler_.options(), families);
  collect_scheduler(scheduler_, families);
  adjustments_.collect(families);
  collect_process(families);
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace sluice::telemetry
