#include "sim/draws.h"

#include <algorithm>
#include <cmath>

namespace sluice::sim {
namespace {

// What is drawn, apart from services (which are numbered by kind of node from 0).
constexpr std::uint64_t kDelays = std::uint64_t{1} << 48;
constexpr std::uint64_t kFates = std::uint64_t{2} << 48;
constexpr std::uint64_t kLoads = std::uint64_t{3} << 48;
// Coefficient of variation of loads: disks and caches are not the same every time.
constexpr double kLoadCv = 0.2;

}  // namespace

Draws::Draws(const Scenario& scenario, std::uint64_t seed) : scenario_(scenario), seed_(seed) {
  for (std::size_t model = 0; model < scenario.models.size(); ++model) {
    const double cv = scenario.service.cv[model];
    const double variance = std::log1p(cv * cv);
    for (std::size_t kind = 0; kind < scenario.kinds.size(); ++kind) {
      const auto mean = scenario.service.mean[model][kind].value_or(Duration::zero());
      const auto mean_ns = static_cast<double>(std::max(mean, Duration(1)).count());
      services_.push_back({.mean_ns = mean_ns,
                           .mu = std::log(mean_ns) - variance / 2,
                           .sigma = std::sqrt(variance)});
    }
  }
}

// The multipliers are odd and without pattern; Random itself mixes what they give.
Random Draws::stream(std::uint64_t request, std::uint64_t what) const {
  return Random(seed_ * 0x9e3779b97f4a7c15ULL ^ request * 0xd1342543de82ef95ULL ^
                (what + 1) * 0xaf251af3b0f025b5ULL);
}

Duration Draws::service(std::uint64_t request, std::size_t model, std::size_t kind) const {
  const Service& of = services_[model * scenario_.kinds.size() + kind];
  double ns = of.mean_ns;
  if (scenario_.service.distribution == ServiceDistribution::kLognormal) {
    ns = std::exp(of.mu + of.sigma * stream(request, kind).normal());
  } else if (scenario_.service.distribution == ServiceDistribution::kExponential) {
    ns = stream(request, kind).exponential(of.mean_ns);
  }
  return std::max(Duration(static_cast<std::int64_t>(ns)), Duration(1));
}

Duration Draws::delay(std::uint64_t request, std::uint32_t attempt, std::size_t path,
                      Way way) const {
  const Path& along = scenario_.paths[path];
  const auto least = static_cast<double>(along.least.count());
  const auto most = static_cast<double>(along.most.count());
  const std::uint64_t what = kDelays + (std::uint64_t{attempt} << 8) + static_cast<unsigned>(way);
  return Duration(static_cast<std::int64_t>(stream(request, what).uniform(least, most)));
}

Duration Draws::load(std::uint64_t replica, std::uint32_t order, Duration mean) const {
  const auto mean_ns = static_cast<double>(std::max(mean, Duration(1)).count());
  const double ns = stream(replica, kLoads + order).lognormal(mean_ns, kLoadCv);
  return std::max(Duration(static_cast<std::int64_t>(ns)), Duration(1));
}

double Draws::fate(std::uint64_t request, std::uint32_t attempt) const {
  return stream(request, kFates + attempt).uniform();
}

}  // namespace sluice::sim
