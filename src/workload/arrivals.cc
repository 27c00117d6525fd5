#include "workload/arrivals.h"

#include <utility>

namespace sluice::workload {

Arrivals::Arrivals(Process process, RateCurve curve, std::uint64_t seed)
    : process_(process), curve_(std::move(curve)), random_(seed) {}

double Arrivals::draw_gap() {
  switch (process_) {
    case Process::kConstant:
      return 1;
    case Process::kPoisson:
      return random_.exponential(1);
  }
  return 1;
}

std::optional<RateCurve::Position> Arrivals::next() {
  expected_ += draw_gap();
  return curve_.reach(expected_);
}

}  // namespace sluice::workload
