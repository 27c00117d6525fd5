#include "core/placement/predictor.h"

#include <map>
#include <utility>

namespace sluice::core {
namespace {

// Mean distances from the next level, in octaves, as ServiceEstimate::spread() is.
constexpr double kBetweenNodes = 0.35;
constexpr double kBetweenKindAndCatalogue = 0.8;

double weight(double samples, double spread, double between) {
  const double variances = spread / between * (spread / between);
  // However quiet a device, its first sample may be its warm-up.
  constexpr double kLeast = 0.5;
  return samples / (samples + std::max(variances, kLeast));
}

}  // namespace

Predictor::Predictor(const PredictorOptions& options, std::span<const Replica> replicas)
    : options_(options), levels_(replicas.size()) {
  std::map<std::pair<ModelId, std::uint32_t>, std::vector<std::uint32_t>> kinds;
  for (std::uint32_t r = 0; r < replicas.size(); ++r) {
    kinds[{replicas[r].model, replicas[r].kind}].push_back(r);
  }
  auto next = static_cast<std::uint32_t>(replicas.size());
  for (const auto& [pair, members] : kinds) {
    const std::uint32_t level = members.size() == 1 ? members.front() : next++;
    for (const std::uint32_t member : members) levels_[member].kind = level;
  }
  levels_.resize(next);
  estimates_.resize(next);
}

void Predictor::learn(std::uint32_t replica, Duration service, std::uint64_t size_bytes,
                      TimePoint now) {
  learn_at(replica, service, size_bytes, now);
  const std::uint32_t kind = levels_[replica].kind;
  if (kind != replica) learn_at(kind, service, size_bytes, now);
}

void Predictor::learn_at(std::uint32_t level, Duration service, std::uint64_t size_bytes,
                         TimePoint now) {
  ServiceEstimate& estimate = estimates_[level];
  estimate.add(service, size_bytes, now, options_.alpha);
  const auto of = [&](double between) {
    return static_cast<float>(weight(estimate.samples(), estimate.spread(), between));
  };
  levels_[level].line = estimate.line();
  levels_[level].as_replica = of(kBetweenNodes);
  levels_[level].as_kind = of(kBetweenKindAndCatalogue);
}

// The replica's kind had samples so long after its own newest.
double Predictor::faded_weight(std::uint32_t replica, Duration behind) const {
  const ServiceEstimate& own = estimates_[replica];
  if (own.samples() == 0) return 0;
  const double fade =
      static_cast<double>(options_.fresh_for.count()) / static_cast<double>(behind.count());
  return weight(own.samples() * fade, own.spread(), kBetweenNodes);
}

}  // namespace sluice::core
