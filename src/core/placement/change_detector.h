// Whether a device has changed its speed, or was only unlucky a few times.
#pragma once

#include <cstdint>

#include "base/state.h"

namespace sluice::core {

// Page's cumulative sum (1954) over the logarithm of actual ÷ predicted, in units of its usual
// distance from its usual value, both sides at once. Every sample counts for at most three units,
// so no single one, however wild, is taken for a change; three large ones in a row are. Changes too
// small for it are left to the moving average beneath. O(1), 28 bytes.
//
//   change of the mean      found after (lognormal services, coefficient of variation ≤ ½)
//   × 3, ÷ 3 and beyond     3 to 10 samples
//   none                    less than once in 5,000 samples
class ChangeDetector {
 public:
  // residual: log2(actual ÷ predicted). value: the actual value, > 0, freed of all that is known to
  // move it (size). True: for the last samples() samples, values lie around level() instead; the
  // sum begins anew.
  bool add(float residual, float value);

  // Of the run that was found to be a change. Meaningful right after add() returned true.
  float level() const;
  std::uint32_t samples() const { return run_; }

  // Mean distance of the residuals from their mean, in octaves: about 1.15 × the coefficient of
  // variation where that is small. Begins as ½.
  float spread() const { return spread_; }

  SLUICE_STATE(run_octaves, centre, spread, run_evidence, score, run, seen);

 private:
  // How many units the sum must reach, and what a sample must exceed to add to it.
  static constexpr float kAlarm = 6;
  static constexpr float kSlack = 1;
  static constexpr float kClip = 3;
  // Devices without noise would be restarted for every few per cent.
  static constexpr float kLeastSpread = 0.05F;

  void follow(float score, float evidence, float value);
  void learn_noise(float off);

  float run_octaves_ = 0;  // mean log2 of the run's values, by what each sample added to the sum
  float centre_ = 0;       // mean residual: below 0, as a mean lies above the median
  float spread_ = 0.5F;
  float run_evidence_ = 0;
  float score_ = 0;  // > 0: slower than predicted, < 0: faster
  std::uint32_t run_ = 0;
  std::uint32_t seen_ = 0;
};

}  // namespace sluice::core
