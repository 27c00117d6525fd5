// Graduated penalties of tenants that abuse replicas (R35).
//
//   level  weight  priority  rate
//   0      × 1     + 0       × 1
//   1      × 0.5   + 0       × 1
//   2      × 0.5   + 1       × 1
//   3      × 0.5   + 1       × 0.25
//   4      suspended: the tenant's breaker is open, its requests are refused
//
// A tenant's conduct is the share of its recent requests that ended in misuse, less the share among
// everybody else's: when the replicas are broken, all tenants' requests fail, and nobody is at
// fault. It takes a minimum of requests to be judged.
//
// One level up at a time, `gate.dwell` apart; back one level at a time, each after an observation
// of `gate.dwell` × 2^k without misuse, k growing with every relapse. A suspended tenant
// comes to level 3 in the same time, its conduct from before forgotten, and is observed there at a
// quarter of its rate (half-open).
//
// Why it cannot oscillate: the levels are bounded, `leave` < `enter`, a quarter of the conduct's
// weight is older than a dwell (two half-lives), and a tenant that misbehaves whenever it is let is
// let at most once in `gate.longest_hold()`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/state.h"
#include "base/time.h"
#include "core/control/return_gate.h"
#include "core/ids.h"

namespace sluice::core {

// How a tenant's request ended, as far as the tenant had a part in it.
enum class Conduct : std::uint8_t {
  kGood,
  kTimeout,     // the replica did not answer in time
  kFailure,     // the replica failed on it
  kOversize,    // larger than its model or lane takes
  kDisconnect,  // its caller left while it ran
};
inline constexpr int kConducts = 5;
inline constexpr std::array<std::string_view, kConducts> kConductNames{"good", "timeout", "failure",
                                                                       "oversize", "disconnect"};
constexpr std::string_view to_string(Conduct c) {
  return kConductNames[static_cast<std::size_t>(c)];
}

struct PenaltyOptions {
  double enter = 0.3;        // share of misuse beyond the others'
  double leave = 0.1;        // < enter
  double min_requests = 20;  // in the window, to be judged; > 0
  // A request weighs half after this; > 0. All windows halve at the same instants, so that what the
  // others did is exactly all less one's own.
  Duration half_life = std::chrono::milliseconds(2500);
  GateOptions gate{
      .dwell = std::chrono::seconds(5), .most_doublings = 5, .calm = std::chrono::minutes(5)};
};

struct Penalty {
  double weight_factor = 1;
  int priority_steps = 0;  // added: less urgent
  double rate_factor = 1;
  bool suspended = false;

  SLUICE_STATE(weight_factor, priority_steps, rate_factor, suspended);
};
inline constexpr int kPenaltyLevels = 5;
inline constexpr std::array<Penalty, kPenaltyLevels> kPenalties{
    Penalty{}, Penalty{.weight_factor = 0.5}, Penalty{.weight_factor = 0.5, .priority_steps = 1},
    Penalty{.weight_factor = 0.5, .priority_steps = 1, .rate_factor = 0.25},
    Penalty{.weight_factor = 0.5, .priority_steps = 1, .rate_factor = 0.25, .suspended = true}};

// The record of a change.
struct PenaltyChange {
  TenantId tenant;
  int from = 0;
  int to = 0;
  Conduct most = Conduct::kGood;  // the most frequent misuse; kGood when there is none
  double figure = 0;              // share of misuse beyond the others'
  double threshold = 0;
  TimePoint at;
};

// The penalties of all tenants: 56 bytes each, and nothing to do for those without traffic.
class TenantPenalties {
 public:
  TenantPenalties(const PenaltyOptions& options, std::size_t tenants);

  // A request ended. O(1). (The tenant then has to be stepped until it is settled.)
  void ended(TenantId tenant, Conduct conduct, TimePoint now);

  // Looks at one tenant, once a period of the control loop. At most one level. O(1).
  std::optional<PenaltyChange> step(TenantId tenant, TimePoint now);

  int level(TenantId tenant) const { return states_[tenant.value].level; }
  const Penalty& penalty(TenantId tenant) const {
    return kPenalties[static_cast<std::size_t>(level(tenant))];
  }
  // No penalty, and too few requests in the window to become one.
  bool settled(TenantId tenant, TimePoint now) const;

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, all, states] = self;
    archive(all, states);
  }

 private:
  // Requests by how they ended, each weighing less as it ages.
  struct Window {
    std::array<float, kConducts> by_conduct{};
    std::uint32_t epoch = 0;  // half-lives since the beginning of time

    Window at(std::uint32_t now_epoch) const;
    double requests() const;
    double misused() const { return requests() - by_conduct[0]; }
    Conduct most_frequent_misuse() const;

    SLUICE_STATE(by_conduct, epoch);
  };
  struct State {
    Window window;
    ReturnGate gate;
    std::int8_t level = 0;

    SLUICE_STATE(window, gate, level);
  };

  std::uint32_t epoch(TimePoint now) const;
  double excess_misuse(const Window& own, std::uint32_t epoch) const;
  void forget(Window& own, std::uint32_t epoch);

  PenaltyOptions options_;
  Window all_;
  std::vector<State> states_;  // by tenant
};

}  // namespace sluice::core
