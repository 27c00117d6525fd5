// Limits of tenants (R31), where tenants are told apart: no attempt begins beyond the concurrency;
// what is admitted in all keeps to rate × time + burst, also while control has lowered the rate; no
// more waits in a lane than may, but for what waits again; nobody comes in with a more
// urgent priority than the best of the tenant (what has starved is promoted beyond it).
#include <algorithm>
#include <variant>
#include <vector>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Limits : public Check {
 public:
  Limits() : Check("limits") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    std::visit([&](const auto& a) { hold(a, step, mirror); }, action);
  }

  void after(const Step& step, const Mirror& mirror) override {
    if (mirror.heard().submitted == nullptr) return;
    const core::TenantId tenant = mirror.heard().submitted->labels.tenant;
    const core::TenantLimits& limits = mirror.options().tenants[tenant.value].limits;
    const core::TenantUsage& usage = step.scheduler.usage(tenant);
    for (std::size_t lane = 0; lane < core::kLanes; ++lane) {
      const bool again = mirror.waiting_again(core::Lane(lane)) > 0;
      const bool too_many = limits.waiting[lane] && usage.waiting[lane] > *limits.waiting[lane];
      const bool too_large =
          limits.waiting_bytes[lane] && usage.waiting_bytes[lane] > *limits.waiting_bytes[lane];
      expect(again || (!too_many && !too_large), step, "a tenant has more waiting than it may");
    }
  }

 private:
  void hold(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(dispatch.request);
    if (request == nullptr) return;
    if (request->stage == Stage::kNew) admitted(*request, dispatch.priority, step, mirror);
    const core::TenantOptions& tenant = mirror.options().tenants[request->tenant];
    const bool told_apart = mirror.options().policy.fairness == core::Fairness::kTenants;
    if (!told_apart || !tenant.limits.concurrency) return;
    expect(mirror.running(request->tenant) < *tenant.limits.concurrency, step,
           "a tenant runs more than it may");
  }

  void hold(const core::Queued& queued, const Step& step, const Mirror& mirror) {
    if (const SeenRequest* const request = mirror.find(queued.request)) {
      admitted(*request, queued.priority, step, mirror);
    }
  }

  void admitted(const SeenRequest& request, core::Priority priority, const Step& step,
                const Mirror& mirror) {
    expect(priority >= mirror.options().tenants[request.tenant].best_priority, step,
           "a request is more urgent than its tenant may ask for");
    const core::TenantLimits& limits = mirror.options().tenants[request.tenant].limits;
    if (!limits.rate_rps || limits.over_rate != core::OverRate::kRefuse) return;
    if (admitted_.empty()) admitted_.resize(mirror.options().tenants.size());
    const double burst = std::max(limits.burst.value_or(*limits.rate_rps), 1.0);
    const double most = *limits.rate_rps * to_seconds(mirror.now().time_since_epoch()) + burst;
    expect(static_cast<double>(++admitted_[request.tenant]) <= most + kRounding, step,
           "a tenant is let in beyond its rate");
  }

  template <class Other>
  void hold(const Other&, const Step&, const Mirror&) {}

  static constexpr double kRounding = 1e-3;

  std::vector<std::uint64_t> admitted_;  // by tenant
};

}  // namespace

std::unique_ptr<Check> limits_check() {
  return std::make_unique<Limits>();
}

}  // namespace sluice::sim
