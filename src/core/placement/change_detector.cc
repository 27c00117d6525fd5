#include "core/placement/change_detector.h"

#include <algorithm>
#include <cmath>

#include "base/octaves.h"

namespace sluice::core {

bool ChangeDetector::add(float residual, float value) {
  const float off = residual - centre_;
  const float units = std::clamp(off / std::max(spread_, kLeastSpread), -kClip, kClip);
  const float up = std::max(score_, 0.0F) + units - kSlack;
  const float down = std::min(score_, 0.0F) + units + kSlack;
  follow(up > 0 ? up : std::min(down, 0.0F), std::abs(units) - kSlack, value);
  if (std::abs(score_) >= kAlarm) {
    score_ = 0;
    return true;
  }
  // What may be a change is not noise.
  if (std::abs(score_) < kAlarm / 2) learn_noise(off);
  return false;
}

// A run lasts while the sum keeps its sign. The change began with it, or a little later: what came
// before was no evidence, and weighs accordingly.
void ChangeDetector::follow(float score, float evidence, float value) {
  const bool same_run = score * score_ > 0;
  score_ = score;
  if (!same_run) {
    run_ = 0;
    run_evidence_ = 0;
  }
  if (score == 0) return;
  const float weight = std::max(evidence, 0.01F);
  ++run_;
  run_evidence_ += weight;
  run_octaves_ += weight / run_evidence_ * (log2_of(value) - run_octaves_);
}

float ChangeDetector::level() const {
  return exp2_of(run_octaves_ - centre_);
}

void ChangeDetector::learn_noise(float off) {
  constexpr std::uint32_t kMany = 50;
  constexpr float kPriorSamples = 8;
  seen_ += seen_ < kMany;
  const float weight = 1 / (kPriorSamples + static_cast<float>(seen_));
  const float reach = kClip * std::max(spread_, kLeastSpread);
  off = std::clamp(off, -reach, reach);
  centre_ += weight * off;
  spread_ += weight * (std::abs(off) - spread_);
}

}  // namespace sluice::core
