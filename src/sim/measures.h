// The figures that only some scenarios ask for.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/periods.h"
#include "sim/scenario.h"
#include "sim/tally.h"

namespace sluice::sim {

// By name; nullopt is infinite, or that nothing was there to measure.
using MeasureMap = std::map<std::string, std::optional<double>, std::less<>>;

// Of the requests that arrived in the scenario's window (else the whole run):
//   reaction_s        from the window's begin to the end of the last half second, by arrival, in
//                     which the high lane's P95 was over its budget; 0 if there was none. Who was
//                     not answered was over it; half seconds with fewer than 5 arrivals are passed
//                     over
//   high_p99_all_ms   of all high-lane arrivals, those not answered counting as infinite
//   TENANT_in_sla     share of the tenant's arrivals answered within budget
//   TENANT_success    share of them answered
//   window_LANE_…     success_share, in_budget_share, p95_ms of the answered
class Measures {
 public:
  // The scenario must outlive this.
  explicit Measures(const Scenario& scenario);

  void record(const Ended& ended);
  void fill(MeasureMap& measures) const;

 private:
  struct HalfSecond {
    std::uint32_t arrived = 0;
    std::uint32_t in_time = 0;
  };

  std::optional<double> reaction_s() const;
  std::optional<double> high_p99_all_ms() const;
  void fill_tenants(MeasureMap& measures) const;
  void fill_lanes(MeasureMap& measures) const;

  const Scenario& scenario_;
  Period window_;
  std::array<Cell, core::kLanes> lanes_;
  std::vector<std::unique_ptr<Cell>> tenants_;  // by tenant; only those asked for
  std::vector<HalfSecond> high_;
};

}  // namespace sluice::sim
