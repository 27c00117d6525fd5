// Starvation (R16, R17): whatever its lane and whoever competes with it, a task waits no longer than
// to its deadline (where deadlines are minded) or its lane's maximum age, counted from when it came;
// then it has ended. The timing wheel may notice one tick (2^20 ns) late, and a mass event takes
// several calls at one instant. Nor does a task expire before its time, but for one that no node
// could serve in time any more. And nothing is dispatched when its time is up.
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
    }
    while (!waiting_.empty() &&
           mirror.waiting(waiting_.top().request, waiting_.top().attempts) == nullptr) {
      waiting_.pop();
    }
    if (waiting_.empty() || step.scheduler.next_wakeup() <= mirror.now()) return;
    expect(waiting_.top().expires + kTick >= mirror.now(), step, "a task waits though its time is up");
  }

 private:
  static constexpr Duration kTick{1 << 20};

  struct Entry {
    TimePoint expires;
    core::RequestId request;
    std::uint32_t attempts;
    bool operator>(const Entry& other) const {
      return std::tuple(expires, request) > std::tuple(other.expires, other.request);
    }
  };

  void note(core::RequestId request, const Mirror& mirror) {
    const SeenRequest* const found = mirror.find(request);
    const bool waits = found != nullptr && found->stage == Stage::kWaiting;
    if (waits) waiting_.push({found->expires, request, found->attempts});
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
    if (finish.reason == core::Reason::kDeadlineUnreachable) {
      expect(mirror.options().policy.admission == core::Admission::kPredictive, step,
             "a task is given up where nothing is predicted");
    } else {
      const bool is_new = request->stage == Stage::kNew;
      expect((is_new ? finish.deadline : request->expires) <= mirror.now(), step,
             "a task expires before its time");
    }
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
