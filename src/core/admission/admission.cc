#include "core/admission/admission.h"

#include <algorithm>

namespace sluice::core {

Duration predicted_wait(const WorkAhead& ahead) {
  const double rate = std::max(ahead.slots * ahead.share, 1e-6);
  // Callers may have named a day as expected service, many times over.
  constexpr double kLongestNs = 1e18;
  const double wait_ns = std::min(static_cast<double>(ahead.work.count()) / rate, kLongestNs);
  return Duration(static_cast<std::int64_t>(wait_ns));
}

std::optional<Duration> refuse_late(const WorkAhead& ahead, const Prediction& best, TimePoint now,
                                    TimePoint deadline, const PredictorOptions& options) {
  if (!best.trusted) return std::nullopt;
  const Duration wait = predicted_wait(ahead);
  const TimePoint finish = saturating_add(now, wait + best.total());
  if (finish <= deadline) return std::nullopt;
  const Duration excess = finish - deadline;
  // The queue shrinks by the excess in that time. Where even an idle node is too slow, waiting does
  // not help: the prediction has to change, and fades when nothing is measured.
  const Duration queueing = wait + best.until_slot;
  return std::max<Duration>(excess <= queueing ? excess : options.fresh_for, Duration(1));
}

}  // namespace sluice::core
