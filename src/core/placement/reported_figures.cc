#include "core/placement/reported_figures.h"

#include <algorithm>

namespace sluice::core {

void RecentCount::note(std::uint32_t count, TimePoint now) {
  const std::int64_t bucket = bucket_of(now);
  for (std::int64_t b = std::max(last_ + 1, bucket - kBuckets + 1); b <= bucket; ++b) {
    counts_[static_cast<std::size_t>(b % kBuckets)] = count;
  }
  last_ = std::max(last_, bucket);
}

std::uint32_t RecentCount::at(TimePoint when, std::uint32_t now_count) const {
  const std::int64_t bucket = std::max(bucket_of(when), last_ - kBuckets + 1);
  if (bucket > last_) return now_count;
  return counts_[static_cast<std::size_t>(bucket % kBuckets)];
}

bool ReportedFigures::report(std::optional<double> utilisation, std::optional<double> memory,
                             TimePoint sampled, std::uint32_t in_flight) {
  const auto older = [&](const std::optional<Figure>& known) {
    return known && known->sampled > sampled;
  };
  if ((utilisation && older(utilisation_)) || (memory && older(memory_))) return false;
  if (memory) memory_ = {.share = *memory, .sampled = sampled};
  if (utilisation) {
    utilisation_ = {.share = *utilisation, .sampled = sampled};
    in_flight_then_ = in_flight_.at(sampled, in_flight);
  }
  return true;
}

double ReportedFigures::value(const std::optional<Figure>& figure, TimePoint now,
                              const FigureAges& ages) {
  return figure ? faded(figure->share, now - figure->sampled, ages) : kUnknownFigure;
}

NodeFigures ReportedFigures::at(TimePoint now, std::uint32_t in_flight, std::uint32_t credits,
                                const FigureAges& ages) const {
  const double given_share = static_cast<double>(given(in_flight)) / credits;
  return {.utilisation = std::min(1.0, value(utilisation_, now, ages) + given_share),
          .memory = value(memory_, now, ages),
          .queue = static_cast<double>(in_flight) / credits};
}

bool ReportedFigures::flooded(TimePoint now, std::uint32_t in_flight, std::uint32_t credits,
                              const FigureAges& ages, double throttle) const {
  if (!known(now, ages)) return false;
  const double free = (1 - value(utilisation_, now, ages)) * credits;
  constexpr double kRounding = 1e-6;
  return given(in_flight) + 1 > throttle * free + kRounding;
}

}  // namespace sluice::core
