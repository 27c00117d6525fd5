// Metering (R36): when a run is over, each tenant's requests, outcomes, reasons and running
// attempts are those that an onlooker has counted.
#include <variant>
#include <vector>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Metering : public Check {
 public:
  Metering() : Check("metering") {}

  void on(const core::Action& action, const Step&, const Mirror& mirror) override {
    const auto* const finish = std::get_if<core::Finish>(&action);
    if (finish == nullptr) return;
    if (seen_.empty()) seen_.resize(mirror.options().tenants.size());
    core::TenantUsage& usage = seen_[finish->tenant.value];
    ++usage.outcomes[static_cast<std::size_t>(finish->outcome)];
    ++usage.reasons[static_cast<std::size_t>(finish->reason)];
  }

  void at_end(const Step& step, const Mirror& mirror) override {
    for (std::uint32_t tenant = 0; tenant < seen_.size(); ++tenant) {
      const core::TenantUsage& usage = step.scheduler.usage({tenant});
      expect(usage.outcomes == seen_[tenant].outcomes, step, "a tenant had other outcomes");
      expect(usage.reasons == seen_[tenant].reasons, step, "a tenant had other reasons");
      expect(usage.running == mirror.running(tenant), step, "a tenant runs other attempts");
      expect(usage.device_time >= Duration::zero(), step, "a tenant had negative device time");
    }
  }

 private:
  std::vector<core::TenantUsage> seen_;  // by tenant
};

}  // namespace

std::unique_ptr<Check> metering_check() {
  return std::make_unique<Metering>();
}

}  // namespace sluice::sim
