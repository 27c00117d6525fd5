// Starvation (R16, R17): whatever its lane and whoever competes with it, a task waits no longer
// than to its deadline (where deadlines are minded) or its lane's maximum age, counted from when it
// came; then it has ended. The timing wheel may notice one tick (2^20 ns) late, and a mass event
// takes several calls at one instant. Nor does a task expire before its time, but for one that no
// node could serve in time any more, one whose model could not be loaded, and one that a full lane
// sheds. And nothing is dispatched when its time is up.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <variant>
#include <vector>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Age : public Check {
 public:
  Age() : Check("age") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    std::visit([&](const auto& a) { hold(a, step, mirror); }, action);
  }

  void after(const Step& step, const Mirror& mirror) override {
    for (const core::Action& action : step.actions) {
      if (const auto* queued = std::get_if<core::Queued>(&action)) note(queued->request, mirror);
      if (const auto* again = std::get_if<core::Requeued>(&action)) note(again->request, mirror);
      if (const auto* up = std::get_if<core::Promoted>(&action)) note(up->request, mirror);
    }
    while (!waiting_.empty() && !mirror.waits(waiting_.top().request, waiting_.top().spell)) {
      waiting_.pop();
    }
    if (waiting_.empty() || step.scheduler.next_wakeup() <= mirror.now()) return;
    const Duration late = mirror.now() - waiting_.top().expires;
    if (late <= kTick) return;
    const SeenRequest& request = *mirror.find(waiting_.top().request);
    violated(step,
             fmt::format("a task of the {} lane waits {:.6f} s beyond its time ({} times begun, "
                         "{} times in the queue)",
                         core::to_string(request.lane), to_seconds(late), request.attempts,
                         request.spells));
  }

 private:
  static constexpr Duration kTick{1 << 20};

  struct Entry {
    TimePoint expires;
    core::RequestId request;
    std::uint32_t spell;
    bool operator>(const Entry& other) const {
      return std::tuple(expires, request) > std::tuple(other.expires, other.request);
    }
  };

  void note(core::RequestId request, const Mirror& mirror) {
    const SeenRequest* const found = mirror.find(request);
    const bool waits = found != nullptr && found->stage == Stage::kWaiting;
    if (waits) waiting_.push({found->expires, request, found->spells});
  }

  void hold(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(dispatch.request);
    if (request == nullptr) return;
    const bool minds = mirror.options().policy.reclaim == core::Reclaim::kAtDeadline;
    expect(!minds || dispatch.deadline > mirror.now(), step, "a dispatch after the deadline");
    expect(request->stage != Stage::kWaiting || request->expires > mirror.now(), step,
           "a dispatch after the lane's maximum age");
  }

  void hold(const core::Finish& finish, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(finish.request);
    if (request == nullptr || finish.outcome != core::Outcome::kExpired) return;
    const core::Options& options = mirror.options();
    if (finish.reason == core::Reason::kDeadlineUnreachable) {
      expect(options.policy.admission == core::Admission::kPredictive, step,
             "a task is given up where nothing is predicted");
    } else if (finish.reason == core::Reason::kShed) {
      expect(options.lanes[static_cast<std::size_t>(finish.lane)].saturation ==
                 core::Saturation::kShed,
             step, "a task is shed by a lane that does not shed");
    } else if (finish.reason == core::Reason::kLoadFailed) {
      expect(waits_for_a_load(finish, *request, mirror), step,
             "a task is given up for a load, and needs none");
    } else {
      const bool is_new = request->stage == Stage::kNew;
      expect((is_new ? finish.deadline : request->expires) <= mirror.now(), step,
             "a task expires before its time");
    }
  }

  // Its model comes and goes, and is on none of the nodes where it does. Of the others the step may
  // have told already that they are ready. With early binding only its own node matters.
  static bool waits_for_a_load(const core::Finish& finish, const SeenRequest& request,
                               const Mirror& mirror) {
    const core::Options& options = mirror.options();
    // Nothing was said of a new one before.
    const bool is_new = request.stage == Stage::kNew;
    const core::Priority accepted_as = is_new ? finish.priority : request.accepted_as;
    const std::uint32_t klass = mirror.class_of(finish.model.value, accepted_as);
    if (klass == Mirror::kNoClass) return false;
    std::vector<std::uint32_t> nodes = mirror.nodes_of(klass);
    std::erase_if(nodes, [&](std::uint32_t n) { return !options.nodes[n].managed; });
    const auto loaded = std::count_if(nodes.begin(), nodes.end(), [&](std::uint32_t n) {
      return mirror.residency(n, finish.model.value) == core::ResidencyState::kLoaded;
    });
    return !nodes.empty() && (loaded == 0 || options.policy.binding != core::Binding::kLate);
  }

  template <class Other>
  void hold(const Other&, const Step&, const Mirror&) {}

  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting_;
};

}  // namespace

std::unique_ptr<Check> age_check() {
  return std::make_unique<Age>();
}

}  // namespace sluice::sim
