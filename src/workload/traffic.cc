#include "workload/traffic.h"

#include <utility>

namespace sluice::workload {
namespace {

// Any constant will do: it only sets the second stream apart from the first.
constexpr std::uint64_t kClassStream = 0x636c617373000000ULL;

}  // namespace

Traffic::Traffic(Process process, RateCurve curve, Mix mix, std::uint64_t seed)
    : arrivals_(process, std::move(curve), seed),
      mix_(std::move(mix)),
      class_random_(seed ^ kClassStream) {}

std::optional<Arrival> Traffic::next() {
  const auto position = arrivals_.next();
  if (!position) return std::nullopt;
  return Arrival{position->at, position->phase, mix_.draw(class_random_)};
}

}  // namespace sluice::workload
