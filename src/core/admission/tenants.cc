#include "core/admission/tenants.h"

#include <algorithm>

namespace sluice::core {
namespace {

// Device shares are held over this long: short enough to be felt, long enough for tasks that take
// a slot for a while.
constexpr Duration kShareWindow = std::chrono::seconds(1);

double burst_of(const TenantLimits& limits) {
  return std::max(limits.burst.value_or(*limits.rate_rps), 1.0);
}

// What is owed stays owed; with the first slots the bucket is full.
void resize(TokenBucket& bucket, double rate, double window_s, TimePoint now) {
  if (bucket.rate() == 0) {
    bucket = TokenBucket(rate, rate * window_s, now);
  } else {
    bucket.set_rate(rate, rate * window_s, now);
  }
}

}  // namespace

Tenants::Tenants(const Options& options, Flows& flows)
    : options_(options),
      flows_(flows),
      states_(options.tenants.size()),
      due_positions_(options.tenants.size(), IndexedHeap<Due>::kNowhere) {
  for (std::uint32_t t = 0; t < states_.size(); ++t) {
    const TenantOptions& tenant = options.tenants[t];
    if (tenant.limits.rate_rps) {
      states_[t].rate = TokenBucket(*tenant.limits.rate_rps, burst_of(tenant.limits), TimePoint{});
    }
    if (tenant.limits.device_share || tenant.reserved_share > 0) with_shares_.push_back({t});
    flows.set_weight({t}, tenant.weight);
    if (!is_core({t})) flows.set_non_core({t});
  }
}

std::optional<Tenants::Refusal> Tenants::admit(TenantId tenant, Lane lane, std::uint64_t bytes,
                                               TimePoint now) {
  State& state = states_[tenant.value];
  const TenantLimits& limits = options_.tenants[tenant.value].limits;
  // Let back for a look a second at most.
  if (state.penalty.suspended) return Refusal{Reason::kTenantSuspended, std::chrono::seconds(1)};
  const auto l = static_cast<std::size_t>(lane);
  const bool too_many = limits.waiting[l] && state.usage.waiting[l] >= *limits.waiting[l];
  const bool too_large =
      limits.waiting_bytes[l] && (bytes > *limits.waiting_bytes[l] ||
                                  state.usage.waiting_bytes[l] > *limits.waiting_bytes[l] - bytes);
  if (too_many || too_large) return Refusal{.reason = Reason::kTenantQueueFull};
  const bool takes_token = limits.rate_rps && limits.over_rate == OverRate::kRefuse;
  if (takes_token) resize_rate(tenant, now);
  if (takes_token && !state.rate.take(1, now)) {
    return Refusal{.reason = Reason::kRateLimited, .retry_after = state.rate.until(1, now)};
  }
  return std::nullopt;
}

bool Tenants::is_core(TenantId tenant) const {
  const TenantOptions& options = options_.tenants[tenant.value];
  return options.core.value_or(options.tier != Tier::kBasic);
}

void Tenants::set_non_core_factor(double factor) {
  non_core_factor_ = factor;
  flows_.set_non_core_factor(factor);
}

void Tenants::set_penalty(TenantId tenant, const Penalty& penalty) {
  states_[tenant.value].penalty = penalty;
  flows_.set_weight(tenant, options_.tenants[tenant.value].weight * penalty.weight_factor);
}

void Tenants::resize_rate(TenantId tenant, TimePoint now) {
  State& state = states_[tenant.value];
  const double factor = state.penalty.rate_factor * (is_core(tenant) ? 1 : non_core_factor_);
  if (factor == state.rate_factor) return;
  const TenantLimits& limits = options_.tenants[tenant.value].limits;
  state.rate_factor = factor;
  state.rate.set_rate(*limits.rate_rps * factor, std::max(burst_of(limits) * factor, 1.0), now);
}

void Tenants::ended(TenantId tenant, Outcome outcome, Reason reason) {
  TenantUsage& usage = states_[tenant.value].usage;
  ++usage.outcomes[static_cast<std::size_t>(outcome)];
  ++usage.reasons[static_cast<std::size_t>(reason)];
}

void Tenants::entered(TenantId tenant, Lane lane, std::uint64_t bytes) {
  TenantUsage& usage = states_[tenant.value].usage;
  ++usage.waiting[static_cast<std::size_t>(lane)];
  usage.waiting_bytes[static_cast<std::size_t>(lane)] += bytes;
}

void Tenants::left(TenantId tenant, Lane lane, std::uint64_t bytes) {
  TenantUsage& usage = states_[tenant.value].usage;
  --usage.waiting[static_cast<std::size_t>(lane)];
  usage.waiting_bytes[static_cast<std::size_t>(lane)] -= bytes;
}

bool Tenants::began(TenantId tenant, Duration expected, TimePoint now) {
  State& state = states_[tenant.value];
  const TenantOptions& options = options_.tenants[tenant.value];
  const double seconds = to_seconds(expected);
  ++state.usage.running;
  if (options.limits.rate_rps && options.limits.over_rate == OverRate::kDelay) {
    resize_rate(tenant, now);
    state.rate.charge(1, now);
  }
  if (options.limits.device_share) state.device.charge(seconds, now);
  const bool reserved = options.reserved_share > 0 && state.reserve.take(seconds, now);
  refresh(tenant, now);
  return reserved;
}

void Tenants::finished(TenantId tenant, Duration took, Duration more, TimePoint now) {
  State& state = states_[tenant.value];
  --state.usage.running;
  state.usage.device_time += took;
  if (options_.tenants[tenant.value].limits.device_share) {
    state.device.charge(to_seconds(more), now);
  }
  refresh(tenant, now);
}

void Tenants::set_slots(std::uint32_t slots, TimePoint now) {
  const double window = to_seconds(kShareWindow);
  for (const TenantId tenant : with_shares_) {
    State& state = states_[tenant.value];
    const TenantOptions& options = options_.tenants[tenant.value];
    const double limit = options.limits.device_share.value_or(0) * slots;
    resize(state.device, limit, window, now);
    resize(state.reserve, options.reserved_share * slots, window, now);
    refresh(tenant, now);
  }
}

Duration Tenants::held_back(const State& state, const TenantLimits& limits, TimePoint now) const {
  Duration longest = Duration::zero();
  if (limits.rate_rps && limits.over_rate == OverRate::kDelay) {
    longest = std::max(longest, state.rate.until(1, now));
  }
  // Any positive level lets the next one in: what it takes is charged, and made up for.
  if (limits.device_share && state.device.level(now) <= 0) {
    longest = std::max(longest, state.device.until(1e-6, now));
  }
  return longest;
}

void Tenants::refresh(TenantId tenant, TimePoint now) {
  // Where all tenants stand in one queue, nobody can be held back without holding up the others.
  if (options_.policy.fairness == Fairness::kNone) return;
  const State& state = states_[tenant.value];
  const TenantLimits& limits = options_.tenants[tenant.value].limits;
  const bool too_many = limits.concurrency && state.usage.running >= *limits.concurrency;
  const Duration wait = held_back(state, limits, now);
  flows_.set_blocked(tenant, too_many || wait > Duration::zero());
  const std::uint32_t id = tenant.value;
  const bool was_due = due_positions_[id] != IndexedHeap<Due>::kNowhere;
  if (was_due) due_.remove(due_positions_, id);
  const bool comes = wait > Duration::zero() && wait < Duration::max();
  if (comes) due_.push(due_positions_, id, {.at = saturating_add(now, wait), .tenant = id});
}

void Tenants::release_due(TimePoint now) {
  while (!due_.empty() && due_.top_key().at <= now) refresh({due_.top()}, now);
}

TimePoint Tenants::next_due() const {
  return due_.empty() ? kNever : due_.top_key().at;
}

}  // namespace sluice::core
