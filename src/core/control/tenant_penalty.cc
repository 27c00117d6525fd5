#include "core/control/tenant_penalty.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace sluice::core {

TenantPenalties::TenantPenalties(const PenaltyOptions& options, std::size_t tenants)
    : options_(options), states_(tenants) {
  SLUICE_CHECK(options.leave < options.enter, "a penalty leaves below where it enters");
  SLUICE_CHECK(options.half_life > Duration::zero(), "conduct is remembered for a while");
}

TenantPenalties::Window TenantPenalties::Window::at(std::uint32_t now_epoch) const {
  if (now_epoch <= epoch) return *this;
  Window aged = *this;
  aged.epoch = now_epoch;
  const int halvings = static_cast<int>(std::min(now_epoch - epoch, 64u));
  for (float& count : aged.by_conduct) count = std::ldexp(count, -halvings);
  return aged;
}

double TenantPenalties::Window::requests() const {
  double sum = 0;
  for (const float count : by_conduct) sum += count;
  return sum;
}

Conduct TenantPenalties::Window::most_frequent_misuse() const {
  const auto most = std::max_element(by_conduct.begin() + 1, by_conduct.end());
  return *most > 0 ? Conduct(most - by_conduct.begin()) : Conduct::kGood;
}

std::uint32_t TenantPenalties::epoch(TimePoint now) const {
  return static_cast<std::uint32_t>(now.time_since_epoch() / options_.half_life);
}

void TenantPenalties::ended(TenantId tenant, Conduct conduct, TimePoint now) {
  for (Window* window : {&all_, &states_[tenant.value].window}) {
    *window = window->at(epoch(now));
    window->by_conduct[static_cast<std::size_t>(conduct)] += 1;
  }
}

double TenantPenalties::excess_misuse(const Window& own, std::uint32_t epoch) const {
  if (own.requests() < options_.min_requests) return 0;
  const double share = own.misused() / own.requests();
  const Window all = all_.at(epoch);
  const double others = all.requests() - own.requests();
  // Too few others say nothing about the replicas.
  if (others < options_.min_requests) return share;
  return std::max(share - (all.misused() - own.misused()) / others, 0.0);
}

void TenantPenalties::forget(Window& own, std::uint32_t epoch) {
  all_ = all_.at(epoch);
  own = own.at(epoch);
  for (std::size_t i = 0; i < kConducts; ++i) all_.by_conduct[i] -= own.by_conduct[i];
  own = Window{.epoch = epoch};
}

std::optional<PenaltyChange> TenantPenalties::step(TenantId tenant, TimePoint now) {
  State& state = states_[tenant.value];
  // What ends while it is suspended was sent before.
  if (state.level + 1 == kPenaltyLevels) forget(state.window, epoch(now));
  const Window window = state.window.at(epoch(now));
  const double excess = excess_misuse(window, epoch(now));
  PenaltyChange change{.tenant = tenant,
                       .from = state.level,
                       .to = state.level,
                       .most = window.most_frequent_misuse(),
                       .figure = excess,
                       .at = now};
  const bool up = excess >= options_.enter && state.level + 1 < kPenaltyLevels;
  const bool down = excess < options_.leave && state.level > 0;
  if (up && state.gate.may_go_out(now, options_.gate)) {
    state.gate.went_out(now, options_.gate);
    change.to = state.level + 1;
    change.threshold = options_.enter;
  } else if (down && state.gate.may_go_in(now, options_.gate)) {
    state.gate.went_in(now);
    change.to = state.level - 1;
    change.threshold = options_.leave;
  } else {
    return std::nullopt;
  }
  state.level = static_cast<std::int8_t>(change.to);
  return change;
}

bool TenantPenalties::settled(TenantId tenant, TimePoint now) const {
  const State& state = states_[tenant.value];
  return state.level == 0 && state.window.at(epoch(now)).requests() < options_.min_requests;
}

}  // namespace sluice::core
