// All knobs of the control loop (R7..R9, R12, R13, R16, R33, R35).
#pragma once

#include "core/control/corrections.h"
#include "core/control/lane_weights.h"
#include "core/control/limiter.h"
#include "core/control/load_gauge.h"
#include "core/control/period.h"
#include "core/control/shrinking_share.h"
#include "core/control/tenant_penalty.h"

namespace sluice::core {

struct ControlOptions {
  LoadGaugeOptions load;
  CorrectionOptions corrections;
  LaneWeightOptions lane_weights;
  LimiterOptions limiter;
  ReserveOptions reserve;
  ShareOptions safety_load = kSafetyLoadShare;
  PenaltyOptions penalties;
  PeriodOptions period;
};

}  // namespace sluice::core
