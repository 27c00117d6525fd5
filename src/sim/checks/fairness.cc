// Fairness (R32, amendment 12; flows.h): among the tenants of a lane that wait for the same nodes
// and could all run, device time ÷ weight differs by at most
//     (credits + 1) × largest task ÷ smallest weight.
// Device time is what the core charges: as predicted at dispatch, put right when the attempt ends.
// Credits are the most that the class's nodes have had, the largest task the longest that was
// predicted or measured in the group, the smallest weight the smallest that either has had: what
// was charged by a small weight is owed after the weight has grown.
//
// Claimed for each pair of tenants over spans during which, at every instant, both have a task that
// could run next: no limit holds it up, it does not wait for a busy node by choice or for one that
// has its model loaded (not for an instant: it may be called back in the step in which it was sent
// away), and neither weight moves. Tenants with a reserved share are left out: they are paid first
// from that. Late binding only. O(tenants) a step, O(tenants) an attempt.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sim/checks/all.h"
#include "sim/checks/fair_group.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Fairness : public Check {
 public:
  Fairness() : Check("fairness") {}

  // The core settles an attempt before it dispatches into its place.
  void before(const Step& step, const Mirror& mirror) override {
    if (!begun_) begin(mirror);
    if (mirror.heard().ended) settle(*mirror.heard().ended, step, mirror);
  }

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    if (groups_.empty()) return;
    std::visit([&](const auto& a) { take(a, step, mirror); }, action);
  }

  void after(const Step& step, const Mirror& mirror) override {
    for (FairGroup& group : groups_) {
      if (group.anyone_waits()) look_at(group, step, mirror);
    }
  }

 private:
  void begin(const Mirror& mirror);
  void add_groups(const Mirror& mirror);

  // nullptr: of tasks that no node takes.
  FairGroup* group_of(core::Lane lane, std::uint32_t model, core::Priority accepted_as,
                      const Mirror& mirror);
  FairGroup* group_of(const SeenRequest& request, const Mirror& mirror) {
    return group_of(request.lane, request.model, request.accepted_as, mirror);
  }

  static bool is_core(const core::TenantOptions& tenant) {
    return tenant.core.value_or(tenant.tier != core::Tier::kBasic);
  }
  double weight(std::size_t tenant, const Mirror& mirror) const {
    const core::TenantOptions& options = mirror.options().tenants[tenant];
    return options.weight * penalty_[tenant] * (is_core(options) ? 1 : non_core_);
  }
  void weight_moved(std::size_t tenant, const Mirror& mirror);

  void take(const core::Queued& queued, const Step&, const Mirror& mirror);
  void take(const core::Promoted& promoted, const Step&, const Mirror& mirror);
  void take(const core::Requeued& requeued, const Step&, const Mirror& mirror);
  void take(const core::Finish& finish, const Step&, const Mirror& mirror);
  void take(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror);
  void take(const core::PlacementRecord& record, const Step&, const Mirror& mirror);
  void take(const core::Adjusted& adjusted, const Step&, const Mirror& mirror);
  template <class Other>
  void take(const Other&, const Step&, const Mirror&) {}

  void look_at(FairGroup& group, const Step& step, const Mirror& mirror);
  void settle(const SeenAttempt& ended, const Step& step, const Mirror& mirror);
  void serve(FairGroup& group, std::size_t tenant, double ns, const Step& step,
             const Mirror& mirror);
  void hold(const FairGroup& group, std::size_t one, std::size_t other, const Step& step,
            const Mirror& mirror);
  double credits(std::uint32_t klass, const Step& step, const Mirror& mirror);

  bool begun_ = false;
  std::vector<FairGroup> groups_;            // class × lanes + lane; none: nothing is claimed
  std::vector<Duration> device_time_;        // by tenant, as metered
  std::vector<double> penalty_;              // by tenant: factor on the weight
  double non_core_ = 1;                      // the same of tenants that are no core tenants
  std::vector<double> least_weights_;        // by tenant, so far
  std::vector<std::uint32_t> most_credits_;  // by node, so far
};

void Fairness::begin(const Mirror& mirror) {
  begun_ = true;
  const core::Options& options = mirror.options();
  const bool applies = options.policy.fairness == core::Fairness::kTenants &&
                       options.policy.binding == core::Binding::kLate && options.tenants.size() > 1;
  if (!applies) return;
  add_groups(mirror);
  device_time_.resize(options.tenants.size());
  penalty_.assign(options.tenants.size(), 1);
  for (std::size_t tenant = 0; tenant < options.tenants.size(); ++tenant) {
    least_weights_.push_back(weight(tenant, mirror));
  }
  most_credits_.resize(options.nodes.size());
}

void Fairness::add_groups(const Mirror& mirror) {
  const core::Options& options = mirror.options();
  // In the order of their numbers: a class has its number where it is first met.
  for (std::uint32_t model = 0; model < options.models.size(); ++model) {
    for (core::Priority priority = 0; priority < core::kPriorities; ++priority) {
      const std::uint32_t klass = mirror.class_of(model, priority);
      if (klass == Mirror::kNoClass || klass * core::kLanes < groups_.size()) continue;
      for (int lane = 0; lane < core::kLanes; ++lane) {
        groups_.emplace_back(FairGroup::Tasks{klass, core::Lane(lane), model, priority},
                             options.tenants.size());
      }
    }
  }
}

FairGroup* Fairness::group_of(core::Lane lane, std::uint32_t model, core::Priority accepted_as,
                              const Mirror& mirror) {
  const std::uint32_t klass = mirror.class_of(model, accepted_as);
  if (klass == Mirror::kNoClass) return nullptr;
  return &groups_[klass * core::kLanes + static_cast<std::uint32_t>(lane)];
}

void Fairness::weight_moved(std::size_t tenant, const Mirror& mirror) {
  least_weights_[tenant] = std::min(least_weights_[tenant], weight(tenant, mirror));
  for (FairGroup& group : groups_) group.set_competes(tenant, false);
}

void Fairness::take(const core::Queued& queued, const Step&, const Mirror& mirror) {
  const SeenRequest* const request = mirror.find(queued.request);
  FairGroup* const group = group_of(queued.lane, queued.model.value, queued.priority, mirror);
  if (request != nullptr && group != nullptr) group->begin_waiting(request->tenant);
}

void Fairness::take(const core::Promoted& promoted, const Step&, const Mirror& mirror) {
  const SeenRequest* const request = mirror.find(promoted.request);
  if (request == nullptr) return;
  if (FairGroup* const from = group_of(*request, mirror)) from->stop_waiting(request->tenant);
  FairGroup* const to =
      group_of(core::lane_of(promoted.to), request->model, request->accepted_as, mirror);
  if (to != nullptr) to->begin_waiting(request->tenant);
}

void Fairness::take(const core::Requeued& requeued, const Step&, const Mirror& mirror) {
  const SeenRequest* const request = mirror.find(requeued.request);
  FairGroup* const group = request != nullptr ? group_of(*request, mirror) : nullptr;
  if (group != nullptr) group->begin_waiting(request->tenant);
}

void Fairness::take(const core::Finish& finish, const Step&, const Mirror& mirror) {
  const SeenRequest* const request = mirror.find(finish.request);
  if (request == nullptr || request->stage != Stage::kWaiting) return;
  if (FairGroup* const group = group_of(*request, mirror)) group->stop_waiting(request->tenant);
}

// Charged while it still waits: whoever has nothing left is out of the running only then.
void Fairness::take(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
  const SeenRequest* const request = mirror.find(dispatch.request);
  if (request == nullptr) return;
  const bool is_new = request->stage == Stage::kNew;
  FairGroup* const group = group_of(dispatch.lane, dispatch.model.value,
                                    is_new ? dispatch.priority : request->accepted_as, mirror);
  if (group == nullptr) return;
  const auto ns = static_cast<double>(dispatch.expected.count());
  group->note_task(ns);
  serve(*group, request->tenant, ns, step, mirror);
  if (request->stage == Stage::kWaiting) group->stop_waiting(request->tenant);
}

void Fairness::take(const core::PlacementRecord& record, const Step&, const Mirror& mirror) {
  if (record.verdict != core::Verdict::kAway) return;
  const SeenRequest* const request = mirror.find(record.request);
  if (request == nullptr || request->stage != Stage::kWaiting) return;
  if (FairGroup* const group = group_of(*request, mirror)) {
    group->set_competes(request->tenant, false);
  }
}

void Fairness::take(const core::Adjusted& adjusted, const Step&, const Mirror& mirror) {
  if (const auto* penalty = std::get_if<core::PenaltyChange>(&adjusted.change)) {
    penalty_[penalty->tenant.value] =
        core::kPenalties[static_cast<std::size_t>(penalty->to)].weight_factor;
    weight_moved(penalty->tenant.value, mirror);
  } else if (const auto* share = std::get_if<core::ShareChange>(&adjusted.change)) {
    non_core_ = share->to;
    for (std::size_t tenant = 0; tenant < penalty_.size(); ++tenant) {
      if (!is_core(mirror.options().tenants[tenant])) weight_moved(tenant, mirror);
    }
  }
}

// Who competes now, and who has since before.
void Fairness::look_at(FairGroup& group, const Step& step, const Mirror& mirror) {
  for (std::uint32_t tenant = 0; tenant < group.tenants(); ++tenant) {
    if (!group.waits(tenant) || mirror.options().tenants[tenant].reserved_share > 0) continue;
    const FairGroup::Tasks& tasks = group.tasks();
    const bool competes =
        step.scheduler.competes(tasks.lane, {tasks.model}, tasks.accepted_as, {tenant});
    group.set_competes(tenant, competes);
  }
}

// What the meter shows beyond what was predicted, or less.
void Fairness::settle(const SeenAttempt& ended, const Step& step, const Mirror& mirror) {
  if (groups_.empty()) return;
  const Duration metered = step.scheduler.usage({ended.tenant}).device_time;
  const Duration took = metered - device_time_[ended.tenant];
  device_time_[ended.tenant] = metered;
  FairGroup* const group = group_of(ended.lane, ended.model, ended.accepted_as, mirror);
  if (group == nullptr) return;
  group->note_task(static_cast<double>(took.count()));
  serve(*group, ended.tenant, static_cast<double>((took - ended.expected).count()), step, mirror);
}

void Fairness::serve(FairGroup& group, std::size_t tenant, double ns, const Step& step,
                     const Mirror& mirror) {
  group.serve(tenant, ns / weight(tenant, mirror));
  if (!group.competes(tenant)) return;
  for (std::size_t other = 0; other < group.tenants(); ++other) {
    if (other != tenant && group.competes(other)) hold(group, tenant, other, step, mirror);
  }
}

double Fairness::credits(std::uint32_t klass, const Step& step, const Mirror& mirror) {
  double sum = 0;
  for (const std::uint32_t node : mirror.nodes_of(klass)) {
    most_credits_[node] = std::max(most_credits_[node], step.scheduler.node({node}).credits);
    sum += most_credits_[node];
  }
  return sum;
}

void Fairness::hold(const FairGroup& group, std::size_t one, std::size_t other, const Step& step,
                    const Mirror& mirror) {
  const double apart = std::abs(group.ahead(one, other));
  const double unit = group.largest_ns() / std::min(least_weights_[one], least_weights_[other]);
  // Two tasks apart is within any bound, and cheap to see.
  if (apart <= 2 * unit) return;
  const double bound = (credits(group.tasks().klass, step, mirror) + 1) * unit;
  if (apart <= bound) return;
  violated(step, fmt::format(
                     "tenants {} and {} of the {} lane are {:.6f} s apart per weight, {:.2f} "
                     "times the bound",
                     one, other, core::to_string(group.tasks().lane), apart / 1e9, apart / bound));
}

}  // namespace

std::unique_ptr<Check> fairness_check() {
  return std::make_unique<Fairness>();
}

}  // namespace sluice::sim
