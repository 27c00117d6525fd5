// Order (R4; design.md: "within a lane and tenant, no task is passed by a later one with a larger
// score"): what one tenant has waiting in a lane for one model, on the same nodes, is dispatched
// smallest rank first. And the rank is what the ordering says: the arrival moved by priority, by at
// most γ back for the drops of its kind, and forwards for its expected service only where β > 0.
//
// Restricted to late binding: where tasks are bound on arrival each node has an order of its own,
// and which node that is an onlooker does not know. Between models a flow's head may choose to wait
// for a busy node and be passed; that is no inversion. O(log waiting) a task.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Order : public Check {
 public:
  Order() : Check("order") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    if (mirror.options().policy.binding != core::Binding::kLate) return;
    std::visit([&](const auto& a) { hold(a, step, mirror); }, action);
  }

 private:
  struct Entry {
    std::int64_t rank;
    core::RequestId request;
    std::uint32_t spell;
    bool operator>(const Entry& other) const {
      return std::tuple(rank, request) > std::tuple(other.rank, other.request);
    }
  };
  using Flow = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  // What tells a task's flow from others.
  struct Place {
    core::Lane lane;
    std::uint32_t model;
    core::Priority accepted_as;
    std::uint32_t tenant;
  };

  // Without those at its head that have left it.
  Flow& flow(const Place& place, const Mirror& mirror) {
    const bool fair = mirror.options().policy.fairness == core::Fairness::kTenants;
    const std::uint64_t klass = mirror.class_of(place.model, place.accepted_as);
    const std::uint64_t tenant = fair ? place.tenant : 0;
    Flow& found = flows_[{klass * core::kLanes + static_cast<std::uint64_t>(place.lane),
                          tenant << 32 | place.model}];
    while (!found.empty() && !mirror.waits(found.top().request, found.top().spell)) found.pop();
    return found;
  }

  void hold(const core::Queued& queued, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(queued.request);
    if (request == nullptr) return;
    flow({queued.lane, queued.model.value, queued.priority, request->tenant}, mirror)
        .push({queued.rank, queued.request, request->spells + 1});
    expect(rank_fits(queued, *request, mirror.options()), step,
           "a rank is not what the ordering says");
  }

  void hold(const core::Requeued& requeued, const Step&, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(requeued.request);
    if (request == nullptr) return;
    flow({request->lane, request->model, request->accepted_as, request->tenant}, mirror)
        .push({request->rank, requeued.request, request->spells + 1});
  }

  void hold(const core::Promoted& promoted, const Step&, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(promoted.request);
    if (request == nullptr) return;
    flow({core::lane_of(promoted.to), request->model, request->accepted_as, request->tenant},
         mirror)
        .push({promoted.rank, promoted.request, request->spells + 1});
  }

  void hold(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(dispatch.request);
    const bool is_hedge = request != nullptr && request->stage == Stage::kRunning;
    if (request == nullptr || is_hedge) return;
    const core::Priority accepted_as =
        request->stage == Stage::kNew ? dispatch.priority : request->accepted_as;
    const Flow& of =
        flow({dispatch.lane, dispatch.model.value, accepted_as, request->tenant}, mirror);
    expect(request->stage == Stage::kNew || request->rank == dispatch.rank, step,
           "a rank has changed while its task waited");
    expect(of.empty() || of.top().request == dispatch.request || of.top().rank >= dispatch.rank,
           step, "a task is passed by one of its flow that ranks behind it");
  }

  template <class Other>
  void hold(const Other&, const Step&, const Mirror&) {}

  static bool rank_fits(const core::Queued& queued, const SeenRequest& request,
                        const core::Options& options) {
    const std::int64_t arrival = request.arrival.time_since_epoch().count();
    const core::ScoreWeights& score = options.score;
    switch (options.policy.ordering) {
      case core::Ordering::kArrival:
        return queued.rank == arrival;
      case core::Ordering::kDeadline:
        return queued.rank == queued.deadline.time_since_epoch().count();
      case core::Ordering::kPriority:
        return queued.rank == (std::int64_t{queued.priority} << 59 | arrival);
      case core::Ordering::kSlack:
        return queued.rank <= queued.deadline.time_since_epoch().count();
      case core::Ordering::kShortest:
        return queued.rank >= arrival;
      case core::Ordering::kScore: {
        const std::int64_t more =
            queued.rank - arrival - queued.priority * score.per_priority.count();
        return more >= -score.per_drop_share.count() &&
               (score.per_expected_service > 0 || more <= 0);
      }
    }
    return false;
  }

  std::map<std::pair<std::uint64_t, std::uint64_t>, Flow> flows_;
};

}  // namespace

std::unique_ptr<Check> order_check() {
  return std::make_unique<Order>();
}

}  // namespace sluice::sim
