#include "core/placement/predictor.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::core {
namespace {

// Mean distances from the next level, in octaves, as ServiceEstimate::spread() is.
constexpr double kBetweenNodes = 0.35;
constexpr double kBetweenKindAndCatalogue = 0.8;
// A catalogue's figure is a guess at the mean: the tail above it may be anything.
constexpr double kPriorP95Ratio = 3;

constexpr Duration kLongestPrior = std::chrono::hours(24 * 11);

double weight(double samples, double spread, double between) {
  const double variances = spread / between * (spread / between);
  // However quiet a device, its first sample may be its warm-up.
  constexpr double kLeast = 0.5;
  return samples / (samples + std::max(variances, kLeast));
}

double blend(double weight, double here, double there) {
  return there + weight * (here - there);
}

}  // namespace

Predictor::Predictor(const PredictorOptions& options, std::span<const Replica> replicas)
    : options_(options), replicas_(replicas.size()) {
  using Pair = std::pair<ModelId, std::uint32_t>;
  std::vector<Pair> pairs;
  for (const Replica& r : replicas) pairs.emplace_back(r.model, r.kind);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    const Pair pair(replicas[i].model, replicas[i].kind);
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), pair);
    replicas_[i].kind = static_cast<std::uint32_t>(at - pairs.begin());
  }
  kinds_.resize(pairs.size());
}

void Predictor::learn(std::uint32_t replica, Duration service, std::uint64_t size_bytes,
                      TimePoint now) {
  Level& level = replicas_[replica];
  level.own.add(service, size_bytes, now, options_.alpha);
  kinds_[level.kind].add(service, size_bytes, now, options_.alpha);
}

double Predictor::own_weight(const ServiceEstimate& own, const ServiceEstimate& kind) const {
  if (own.samples() == 0) return 0;
  const Duration behind = kind.last() - own.last();
  const double fade =
      behind <= options_.fresh_for
          ? 1
          : static_cast<double>(options_.fresh_for.count()) / static_cast<double>(behind.count());
  return weight(own.samples() * fade, own.spread(), kBetweenNodes);
}

bool Predictor::trusted(const ServiceEstimate& own, const ServiceEstimate& kind, double of_own,
                        TimePoint now) const {
  if (own.trusted(now, options_)) return true;
  const bool rests_on_old = of_own >= 0.5 && now - own.last() > options_.fresh_for;
  return kind.trusted(now, options_) && !rests_on_old;
}

// However wrong the catalogue is, what was measured must not be moved far by it.
Duration Predictor::assume(Duration prior, const ServiceEstimate& kind, std::uint64_t size_bytes) {
  const Duration bounded = std::clamp(prior, Duration(0), kLongestPrior);
  if (kind.samples() == 0) return bounded;
  constexpr int kFarOff = 4;
  const Duration measured = kind.predict(size_bytes);
  return std::clamp(bounded, measured / kFarOff, measured * kFarOff);
}

ServicePrediction Predictor::predict(std::uint32_t replica, std::uint64_t size_bytes,
                                     Duration prior, TimePoint now) const {
  const ServiceEstimate& own = replicas_[replica].own;
  const ServiceEstimate& kind = kinds_[replicas_[replica].kind];
  const Duration assumed = assume(prior, kind, size_bytes);
  const double of_kind = weight(kind.samples(), kind.spread(), kBetweenKindAndCatalogue);
  const double of_own = own_weight(own, kind);

  const auto ns = [size_bytes](const ServiceEstimate& estimate) {
    return static_cast<double>(estimate.predict(size_bytes).count());
  };
  const double beyond_own = blend(of_kind, ns(kind), static_cast<double>(assumed.count()));
  const double mean = blend(of_own, ns(own), beyond_own);
  const double ratio =
      blend(of_own, own.p95_ratio(), blend(of_kind, kind.p95_ratio(), kPriorP95Ratio));
  return {.mean = Duration(static_cast<std::int64_t>(mean)),
          .p95 = Duration(static_cast<std::int64_t>(mean * ratio)),
          .trusted = trusted(own, kind, of_own, now)};
}

}  // namespace sluice::core
