// What each tenant may have, and what it has had (R31, R36).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/prefetch.h"
#include "base/state.h"
#include "base/time.h"
#include "core/admission/tenant_usage.h"
#include "core/admission/token_bucket.h"
#include "core/control/tenant_penalty.h"
#include "core/lanes/flows.h"
#include "core/lanes/indexed_heap.h"
#include "core/options.h"
#include "core/outcome.h"

namespace sluice::core {

// Limits are kept by whoever they are about: a rate and a queue refuse on arrival; concurrency, a
// device share and a delayed rate block the tenant's shares in Flows until there is room, so its
// tasks wait and nobody else's does. All calls are O(1), or O(log) where a tenant is blocked or
// let go; tenants that are idle cost nothing.
class Tenants {
 public:
  Tenants(const Options& options, Flows& flows);

  struct Refusal {
    Reason reason = Reason::kNone;
    Duration retry_after{0};
  };
  // Whether one more task may come. Takes its token of the rate when it may.
  std::optional<Refusal> admit(TenantId tenant, Lane lane, std::uint64_t bytes, TimePoint now);

  void submitted(TenantId tenant) { states_[tenant.value].usage.submitted++; }
  void ended(TenantId tenant, Outcome outcome, Reason reason);
  void entered(TenantId tenant, Lane lane, std::uint64_t bytes);
  void left(TenantId tenant, Lane lane, std::uint64_t bytes);

  // An attempt of this expected device time begins. True: it is paid from the tenant's reserve, and
  // its share is not to be charged.
  bool began(TenantId tenant, Duration expected, TimePoint now);
  // It took so much, which is `more` than was expected.
  void finished(TenantId tenant, Duration took, Duration more, TimePoint now);

  // Parallel executions of all ready nodes: what shares are shares of.
  void set_slots(std::uint32_t slots, TimePoint now);

  // From the control loop: over the safety load non-core tenants have so much of their weight and
  // rate; a tenant that misuses replicas has the penalty's part of them.
  void set_non_core_factor(double factor);
  void set_penalty(TenantId tenant, const Penalty& penalty);
  // Added to the priority of its requests: less urgent.
  int priority_steps(TenantId tenant) const { return states_[tenant.value].penalty.priority_steps; }

  // Lets go the tenants whose waiting is over.
  void release_due(TimePoint now);
  // When release_due() has something to do; kNever when only an ending can let go.
  TimePoint next_due() const;

  // The tenant's state will be needed.
  void prefetch(TenantId tenant) const { sluice::prefetch(states_[tenant.value]); }

  const TenantUsage& usage(TenantId tenant) const { return states_[tenant.value].usage; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, flows, states, non_core_factor, with_shares, due, due_positions] = self;
    archive(states, non_core_factor, due, due_positions);
  }

 private:
  struct Due {
    TimePoint at;
    std::uint32_t tenant = 0;
    bool operator<(const Due& other) const {
      return at != other.at ? at < other.at : tenant < other.tenant;
    }

    SLUICE_STATE(at, tenant);
  };
  struct State {
    TokenBucket rate{0, 0, TimePoint{}};
    TokenBucket device{0, 0, TimePoint{}};
    TokenBucket reserve{0, 0, TimePoint{}};
    Penalty penalty;
    double rate_factor = 1;  // that `rate` has at the moment
    TenantUsage usage;

    SLUICE_STATE(rate, device, reserve, penalty, rate_factor, usage);
  };

  bool is_core(TenantId tenant) const;
  // The rate is put right when it is asked for, so that a change costs nothing per tenant.
  void resize_rate(TenantId tenant, TimePoint now);
  void refresh(TenantId tenant, TimePoint now);
  // Until what it has had too much of is made up for; 0: now.
  Duration held_back(const State& state, const TenantLimits& limits, TimePoint now) const;

  const Options& options_;
  Flows& flows_;
  std::vector<State> states_;
  double non_core_factor_ = 1;
  std::vector<TenantId> with_shares_;  // of device time, limited or reserved
  IndexedHeap<Due> due_;
  IndexedHeap<Due>::Positions due_positions_;
};

}  // namespace sluice::core
