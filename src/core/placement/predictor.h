// How long a task will run on a replica, from whatever is known by then (R19).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/prefetch.h"
#include "base/state.h"
#include "base/time.h"
#include "core/ids.h"
#include "core/options.h"
#include "core/placement/service_estimate.h"

namespace sluice::core {

struct ServicePrediction {
  Duration mean{0};
  Duration p95{0};
  // Measured often enough, here or on the same kind of device, and of late. Callers may refuse a
  // task by a trusted prediction, and may rank replicas by any; an untrusted one says nothing about
  // whether a deadline can be met.
  bool trusted = false;
};

// Three levels: the replica itself, all replicas of its model on the same kind of device, and the
// prior that the task brings along (its label, else the model catalogue). Each is drawn towards the
// next by how little it knows: an estimate of n samples weighs n ÷ (n + k), k = variance of single
// services ÷ variance expected between levels (James and Stein 1961, with the latter assumed: nodes
// of one kind differ by some 30 %, a catalogue is wrong by a factor of two). So nothing jumps when
// the fifth sample comes.
//
// A replica that has had no samples for long while its kind had some fades towards its kind: one
// that was slow once, and is avoided for it, is thought better of again in time. Where nobody has
// been measured since, nothing fades: the last that is known stays the best guess, untrusted.
//
// learn() and predict() are O(1). 300 bytes a replica, and a pair of model and kind that several
// replicas share; predicting reads a cache line of each, or of the replica alone once that knows
// enough.
class Predictor {
 public:
  static constexpr Duration kLongestPrior = std::chrono::hours(24 * 11);

  // What is to be predicted, as it is asked of several replicas: by how large an input it is, and
  // by the service time to assume where nothing is measured, 0 to 11 days.
  struct Input {
    Input(std::uint64_t size, Duration prior)
        : size_bytes(ServiceLine::to_double(size)),
          prior_ns(static_cast<double>(std::clamp(prior, Duration(0), kLongestPrior).count())) {}

    double size_bytes;
    double prior_ns;
  };

  // Kinds are numbered as in the options of the nodes; only equality matters.
  struct Replica {
    ModelId model;
    std::uint32_t kind = 0;
  };

  // By dense replica number (Eligibility::replica). `options` must outlive it. O(n log n).
  Predictor(const PredictorOptions& options, std::span<const Replica> replicas);

  // An attempt that was answered took this long, on its device.
  void learn(std::uint32_t replica, Duration service, std::uint64_t size_bytes, TimePoint now);

  ServicePrediction predict(std::uint32_t replica, const Input& input, TimePoint now) const;

  // The mean alone: enough to say who is first.
  Duration predict_mean(std::uint32_t replica, const Input& input, TimePoint now) const {
    const Level& own = levels_[replica];
    const double mean_ns = knows_itself(own, now) ? own.line.predict_ns(input.size_bytes)
                                                  : blend_of(replica, input).mean_ns;
    return Duration(static_cast<std::int64_t>(mean_ns));
  }

  // The replica will be asked about.
  void prefetch(std::uint32_t replica) const { sluice::prefetch(levels_[replica]); }

  // What was measured, for export.
  const ServiceEstimate& own(std::uint32_t replica) const { return estimates_[replica]; }
  const ServiceEstimate& kind(std::uint32_t replica) const {
    return estimates_[levels_[replica].kind];
  }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, levels, estimates] = self;
    archive(levels, estimates);
  }

 private:
  // What predicting reads of an estimate. Weights are 0..1, as if the samples were fresh: that of a
  // replica against its kind, and that of a kind against the catalogue.
  struct alignas(64) Level {
    ServiceLine line;
    float as_replica = 0;
    float as_kind = 0;
    std::uint32_t kind = 0;  // of a replica: its kind's place in levels_

    SLUICE_STATE(line, as_replica, as_kind, kind);
  };

  // A catalogue's figure is a guess at the mean: the tail above it may be anything.
  static constexpr double kPriorP95Ratio = 3;

  // What is known of a replica by now, and what follows for one size.
  struct Blend {
    const ServiceLine& own;
    const ServiceLine& kind;
    double of_own = 0;
    double of_kind = 0;
    double mean_ns = 0;
  };
  Blend blend_of(std::uint32_t replica, const Input& input) const;
  // Many samples, one of them new: its kind weighs less than a hundredth, and is not looked at.
  bool knows_itself(const Level& own, TimePoint now) const {
    constexpr float kAlmostAll = 0.99F;
    return own.as_replica >= kAlmostAll && now - own.line.last <= options_.fresh_for;
  }

  static double blend(double weight, double here, double there) {
    return there + weight * (here - there);
  }
  static double assume_ns(double prior_ns, const ServiceLine& kind, double kind_ns);
  void learn_at(std::uint32_t level, Duration service, std::uint64_t size_bytes, TimePoint now);
  double faded_weight(std::uint32_t replica, Duration behind) const;
  bool trusted(const ServiceLine& own, const ServiceLine& kind, double of_own, TimePoint now) const;

  const PredictorOptions& options_;
  // By replica, then by pair of model and kind that several replicas share. A replica that is the
  // only one of its kind is its own kind.
  std::vector<Level> levels_;
  std::vector<ServiceEstimate> estimates_;  // the same
};

// However wrong the catalogue is, what was measured must not be moved far by it.
inline double Predictor::assume_ns(double prior_ns, const ServiceLine& kind, double kind_ns) {
  constexpr double kFarOff = 4;
  if (kind.samples == 0) return prior_ns;
  return std::max(std::min(prior_ns, kind_ns * kFarOff), kind_ns / kFarOff);
}

inline bool Predictor::trusted(const ServiceLine& own, const ServiceLine& kind, double of_own,
                               TimePoint now) const {
  if (own.trusted(now, options_)) return true;
  const bool rests_on_old = of_own >= 0.5 && now - own.last > options_.fresh_for;
  return kind.trusted(now, options_) && !rests_on_old;
}

// These two are here because placement asks ten times a task.
inline Predictor::Blend Predictor::blend_of(std::uint32_t replica, const Input& input) const {
  const Level& own = levels_[replica];
  const Level& kind = levels_[own.kind];
  const double own_ns = own.line.predict_ns(input.size_bytes);
  const double kind_ns = &kind == &own ? own_ns : kind.line.predict_ns(input.size_bytes);
  const Duration behind = kind.line.last - own.line.last;
  const double of_own = behind <= options_.fresh_for ? static_cast<double>(own.as_replica)
                                                     : faded_weight(replica, behind);
  const auto of_kind = static_cast<double>(kind.as_kind);
  const double beyond_own = blend(of_kind, kind_ns, assume_ns(input.prior_ns, kind.line, kind_ns));
  return {.own = own.line,
          .kind = kind.line,
          .of_own = of_own,
          .of_kind = of_kind,
          .mean_ns = blend(of_own, own_ns, beyond_own)};
}

inline ServicePrediction Predictor::predict(std::uint32_t replica, const Input& input,
                                            TimePoint now) const {
  if (const Level& own = levels_[replica]; knows_itself(own, now)) {
    const double mean_ns = own.line.predict_ns(input.size_bytes);
    return {.mean = Duration(static_cast<std::int64_t>(mean_ns)),
            .p95 = Duration(static_cast<std::int64_t>(mean_ns * own.line.p95_ratio)),
            .trusted = own.line.samples >= options_.min_samples};
  }
  const Blend known = blend_of(replica, input);
  const double ratio =
      blend(known.of_own, static_cast<double>(known.own.p95_ratio),
            blend(known.of_kind, static_cast<double>(known.kind.p95_ratio), kPriorP95Ratio));
  return {.mean = Duration(static_cast<std::int64_t>(known.mean_ns)),
          .p95 = Duration(static_cast<std::int64_t>(known.mean_ns * ratio)),
          .trusted = trusted(known.own, known.kind, known.of_own, now)};
}

}  // namespace sluice::core
