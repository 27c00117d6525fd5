// How long a task will run on a replica, from whatever is known by then (R19).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
// learn() and predict() are O(1). 232 bytes a replica and a pair of model and kind that exists.
class Predictor {
 public:
  // Kinds are numbered as in the options of the nodes; only equality matters.
  struct Replica {
    ModelId model;
    std::uint32_t kind = 0;
  };

  // By dense replica number (Eligibility::replica). `options` must outlive it. O(n log n).
  Predictor(const PredictorOptions& options, std::span<const Replica> replicas);

  // An attempt that was answered took this long, on its device.
  void learn(std::uint32_t replica, Duration service, std::uint64_t size_bytes, TimePoint now);

  // `prior`: service time to assume where nothing is measured, 0 to 11 days.
  ServicePrediction predict(std::uint32_t replica, std::uint64_t size_bytes, Duration prior,
                            TimePoint now) const;

  // What was measured, for export.
  const ServiceEstimate& own(std::uint32_t replica) const { return replicas_[replica].own; }
  const ServiceEstimate& kind(std::uint32_t replica) const {
    return kinds_[replicas_[replica].kind];
  }

 private:
  struct Level {
    ServiceEstimate own;
    std::uint32_t kind = 0;  // in kinds_
  };

  static Duration assume(Duration prior, const ServiceEstimate& kind, std::uint64_t size_bytes);
  // The weight of the replica's own samples, 0..1.
  double own_weight(const ServiceEstimate& own, const ServiceEstimate& kind) const;
  bool trusted(const ServiceEstimate& own, const ServiceEstimate& kind, double of_own,
               TimePoint now) const;

  const PredictorOptions& options_;
  std::vector<Level> replicas_;
  std::vector<ServiceEstimate> kinds_;  // by pair of model and kind that exists
};

}  // namespace sluice::core
