// Fairness (R32, amendment 12; flows.h): among the tenants of a lane that wait for the same nodes
// and could all run, device time ÷ weight differs by at most
//     (credits + 1) × largest task ÷ smallest weight.
// Device time is what the core charges: as predicted at dispatch, put right when the attempt ends.
// Credits are the most that the class's nodes have had, the largest task the longest that was
// predicted or measured in the group, the smallest weight the smallest that either has had: what
// was charged by a small weight is owed after the weight has grown.
//
// Claimed for each pair of tenants over spans during which, at every instant, both have a task that
// could run next: no limit holds it up, it does not wait for a busy node by choice, and neither
// weight moves. Tenants with a reserved share are left out: they are paid first from that. Late
// binding only. O(tenants) a step, O(tenants) an attempt.
#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Fairness : public Check {
 public:
  Fairness() : Check("fairness") {}

  // The core settles an attempt before it dispatches into its place.
  void before(const Step& step, const Mirror& mirror) override {
    if (!begin(mirror)) return;
    if (mirror.heard().ended) settle(*mirror.heard().ended, step, mirror);
  }

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    if (!applies_) return;
    std::visit([&](const auto& a) { take(a, step, mirror); }, action);
  }

  void after(const Step& step, const Mirror& mirror) override {
    if (!applies_) return;
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
      if (groups_[group].waiting > 0) look_at(group, step, mirror);
    }
  }

 private:
  struct Share {
    double served_ns = 0;  // ÷ weight
    std::uint32_t waiting = 0;
    bool competes = false;  // since the span began
  };
  struct Group {
    std::uint32_t klass = 0;
    core::Lane lane = core::Lane::kHigh;
    std::uint32_t a_model = 0;
    std::uint32_t waiting = 0;
    double largest_ns = 0;
    std::vector<Share> shares;        // by tenant
    std::vector<double> differences;  // of the pair when its span began: tenant × tenants + tenant
  };

  bool begin(const Mirror& mirror);
  std::uint32_t group_of(core::Lane lane, std::uint32_t model, const Mirror& mirror) const {
    return mirror.class_of(model) * core::kLanes + static_cast<std::uint32_t>(lane);
  }
  double weight(std::size_t tenant, const Mirror& mirror) const;
  bool is_core(std::size_t tenant, const Mirror& mirror) const;
  void move_waiting(std::uint32_t tenant, core::Lane lane, std::uint32_t model, int by,
                    const Mirror& mirror);
  void take(const core::Queued& queued, const Step&, const Mirror& mirror);
  void take(const core::Promoted& promoted, const Step&, const Mirror& mirror);
  void take(const core::Requeued& requeued, const Step&, const Mirror& mirror);
  void take(const core::Finish& finish, const Step&, const Mirror& mirror);
  void take(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror);
  void take(const core::Adjusted& adjusted, const Step&, const Mirror& mirror);
  template <class Other>
  void take(const Other&, const Step&, const Mirror&) {}
  void weight_moved(std::size_t tenant, const Mirror& mirror);
  void look_at(std::uint32_t group, const Step& step, const Mirror& mirror);
  void begin_span(Group& group, std::size_t tenant);
  void settle(const SeenAttempt& ended, const Step& step, const Mirror& mirror);
  void serve(std::uint32_t group, std::size_t tenant, double ns, const Step& step,
             const Mirror& mirror);
  void hold_pairs(Group& group, std::size_t tenant, const Step& step, const Mirror& mirror);
  double credits(std::uint32_t klass, const Step& step, const Mirror& mirror);

  bool begun_ = false;
  bool applies_ = false;
  std::vector<Group> groups_;
  std::vector<Duration> device_time_;   // by tenant, as metered
  std::vector<double> penalty_;         // by tenant: factor on the weight
  std::vector<double> least_weights_;   // by tenant, so far
  double non_core_ = 1;                 // factor on the weight of tenants that are no core tenants
  std::vector<std::uint32_t> credits_;  // by node: the most so far
};

bool Fairness::begin(const Mirror& mirror) {
  if (begun_) return applies_;
  begun_ = true;
  const core::Options& options = mirror.options();
  applies_ = options.policy.fairness == core::Fairness::kTenants &&
             options.policy.binding == core::Binding::kLate && options.tenants.size() > 1;
  if (!applies_) return false;
  const std::size_t tenants = options.tenants.size();
  groups_.resize(mirror.class_count() * core::kLanes);
  for (std::uint32_t model = 0; model < options.models.size(); ++model) {
    if (mirror.class_of(model) == Mirror::kNoClass) continue;
    for (int lane = 0; lane < core::kLanes; ++lane) {
      Group& group = groups_[group_of(core::Lane(lane), model, mirror)];
      group.klass = mirror.class_of(model);
      group.lane = core::Lane(lane);
      group.a_model = model;
      group.shares.resize(tenants);
      group.differences.resize(tenants * tenants);
    }
  }
  device_time_.resize(tenants);
  penalty_.assign(tenants, 1);
  for (std::size_t tenant = 0; tenant < tenants; ++tenant) {
    least_weights_.push_back(weight(tenant, mirror));
  }
  credits_.resize(options.nodes.size());
  return true;
}

bool Fairness::is_core(std::size_t tenant, const Mirror& mirror) const {
  const core::TenantOptions& options = mirror.options().tenants[tenant];
  return options.core.value_or(options.tier != core::Tier::kBasic);
}

double Fairness::weight(std::size_t tenant, const Mirror& mirror) const {
  return mirror.options().tenants[tenant].weight * penalty_[tenant] *
         (is_core(tenant, mirror) ? 1 : non_core_);
}

void Fairness::move_waiting(std::uint32_t tenant, core::Lane lane, std::uint32_t model, int by,
                            const Mirror& mirror) {
  if (mirror.class_of(model) == Mirror::kNoClass) return;
  Group& group = groups_[group_of(lane, model, mirror)];
  Share& share = group.shares[tenant];
  group.waiting += static_cast<std::uint32_t>(by);
  share.waiting += static_cast<std::uint32_t>(by);
  if (share.waiting == 0) share.competes = false;
}

void Fairness::take(const core::Queued& queued, const Step&, const Mirror& mirror) {
  if (const SeenRequest* const request = mirror.find(queued.request)) {
    move_waiting(request->tenant, queued.lane, queued.model.value, +1, mirror);
  }
}

void Fairness::take(const core::Requeued& requeued, const Step&, const Mirror& mirror) {
  if (const SeenRequest* const request = mirror.find(requeued.request)) {
    move_waiting(request->tenant, request->lane, request->model, +1, mirror);
  }
}

void Fairness::take(const core::Promoted& promoted, const Step&, const Mirror& mirror) {
  if (const SeenRequest* const request = mirror.find(promoted.request)) {
    move_waiting(request->tenant, request->lane, request->model, -1, mirror);
    move_waiting(request->tenant, core::lane_of(promoted.to), request->model, +1, mirror);
  }
}

void Fairness::take(const core::Finish& finish, const Step&, const Mirror& mirror) {
  const SeenRequest* const request = mirror.find(finish.request);
  const bool waited = request != nullptr && request->stage == Stage::kWaiting;
  if (waited) move_waiting(request->tenant, request->lane, request->model, -1, mirror);
}

// Charged while it still waits: whoever has nothing left is out of the running only then.
void Fairness::take(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
  const SeenRequest* const request = mirror.find(dispatch.request);
  const std::uint32_t model = dispatch.model.value;
  if (request == nullptr || mirror.class_of(model) == Mirror::kNoClass) return;
  const std::uint32_t group = group_of(dispatch.lane, model, mirror);
  const auto ns = static_cast<double>(dispatch.expected.count());
  groups_[group].largest_ns = std::max(groups_[group].largest_ns, ns);
  serve(group, request->tenant, ns, step, mirror);
  if (request->stage == Stage::kWaiting) {
    move_waiting(request->tenant, request->lane, request->model, -1, mirror);
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
      if (!is_core(tenant, mirror)) weight_moved(tenant, mirror);
    }
  }
}

void Fairness::weight_moved(std::size_t tenant, const Mirror& mirror) {
  least_weights_[tenant] = std::min(least_weights_[tenant], weight(tenant, mirror));
  for (Group& group : groups_) {
    if (!group.shares.empty()) group.shares[tenant].competes = false;
  }
}

// Who competes now, and who has since before.
void Fairness::look_at(std::uint32_t at, const Step& step, const Mirror& mirror) {
  Group& group = groups_[at];
  for (std::uint32_t tenant = 0; tenant < group.shares.size(); ++tenant) {
    Share& share = group.shares[tenant];
    if (share.waiting == 0) continue;
    const bool competes = step.scheduler.competes(group.lane, {group.a_model}, {tenant}) &&
                          mirror.options().tenants[tenant].reserved_share == 0;
    if (competes && !share.competes) begin_span(group, tenant);
    share.competes = competes;
  }
}

void Fairness::begin_span(Group& group, std::size_t tenant) {
  const std::size_t tenants = group.shares.size();
  for (std::size_t other = 0; other < tenants; ++other) {
    const double difference = group.shares[tenant].served_ns - group.shares[other].served_ns;
    group.differences[tenant * tenants + other] = difference;
    group.differences[other * tenants + tenant] = -difference;
  }
}

// What the meter shows beyond what was predicted, or less.
void Fairness::settle(const SeenAttempt& ended, const Step& step, const Mirror& mirror) {
  const Duration metered = step.scheduler.usage({ended.tenant}).device_time;
  const Duration took = metered - device_time_[ended.tenant];
  device_time_[ended.tenant] = metered;
  if (mirror.class_of(ended.model) == Mirror::kNoClass) return;
  const std::uint32_t group = group_of(ended.lane, ended.model, mirror);
  groups_[group].largest_ns =
      std::max(groups_[group].largest_ns, static_cast<double>(took.count()));
  serve(group, ended.tenant, static_cast<double>((took - ended.expected).count()), step, mirror);
}

void Fairness::serve(std::uint32_t at, std::size_t tenant, double ns, const Step& step,
                     const Mirror& mirror) {
  Group& group = groups_[at];
  group.shares[tenant].served_ns += ns / weight(tenant, mirror);
  if (group.shares[tenant].competes) hold_pairs(group, tenant, step, mirror);
}

double Fairness::credits(std::uint32_t klass, const Step& step, const Mirror& mirror) {
  double sum = 0;
  for (const std::uint32_t node : mirror.nodes_of(klass)) {
    credits_[node] = std::max(credits_[node], step.scheduler.node({node}).credits);
    sum += credits_[node];
  }
  return sum;
}

void Fairness::hold_pairs(Group& group, std::size_t tenant, const Step& step,
                          const Mirror& mirror) {
  const std::size_t tenants = group.shares.size();
  for (std::size_t other = 0; other < tenants; ++other) {
    if (other == tenant || !group.shares[other].competes) continue;
    const double difference = group.shares[tenant].served_ns - group.shares[other].served_ns -
                              group.differences[tenant * tenants + other];
    const double unit = group.largest_ns / std::min(least_weights_[tenant], least_weights_[other]);
    // Two tasks apart is within any bound, and cheap to see.
    if (std::abs(difference) <= 2 * unit) continue;
    const double bound = (credits(group.klass, step, mirror) + 1) * unit;
    if (std::abs(difference) <= bound) continue;
    violated(step, fmt::format("tenants {} and {} of the {} lane are {:.6f} s apart per weight, "
                               "{:.2f} times the bound",
                               tenant, other, core::to_string(group.lane), difference / 1e9,
                               std::abs(difference) / bound));
  }
}

}  // namespace

std::unique_ptr<Check> fairness_check() {
  return std::make_unique<Fairness>();
}

}  // namespace sluice::sim
