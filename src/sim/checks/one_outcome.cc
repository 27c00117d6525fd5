// One outcome (design.md, the life of a request; action.h): a submitted request is answered in the
// same call; it runs only while it waits; it ends exactly once, and as its event says.
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

using core::AttemptResult;
using core::Outcome;

class OneOutcome : public Check {
 public:
  OneOutcome() : Check("one outcome") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    std::visit([&](const auto& a) { hold(a, step, mirror); }, action);
  }

  void after(const Step& step, const Mirror& mirror) override {
    const Heard& heard = mirror.heard();
    if (heard.submitted != nullptr) {
      expect(stage(heard.submitted->request, mirror) != Stage::kNew, step,
             "a submitted request was not answered");
    }
    if (heard.cancelled) {
      expect(stage(*heard.cancelled, mirror) == Stage::kEnded, step, "a cancelled task goes on");
    }
    if (heard.ended && heard.ended->wanted) hold_end(*heard.ended, step, mirror);
    for (const core::Action& action : step.actions) {
      const auto* cancel = std::get_if<core::CancelAttempt>(&action);
      if (cancel == nullptr) continue;
      const SeenAttempt* const attempt = mirror.find(cancel->attempt);
      expect(attempt != nullptr && !attempt->wanted && attempt->node == cancel->node.value, step,
             "an attempt is stopped that is over, or that somebody waits for");
    }
  }

 private:
  static Stage stage(core::RequestId id, const Mirror& mirror) {
    const SeenRequest* const found = mirror.find(id);
    return found == nullptr ? Stage::kNone : found->stage;
  }

  // Its task has ended, or waits again, or runs anew.
  void hold_end(const SeenAttempt& ended, const Step& step, const Mirror& mirror) {
    const SeenRequest* const of = mirror.find(ended.request);
    const bool goes_on = of != nullptr && of->stage == Stage::kRunning && of->attempt == ended.id;
    expect(!goes_on, step, "an attempt has ended, and its task runs on");
  }

  void hold(const core::Queued& queued, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(queued.request);
    expect(request != nullptr && request->stage == Stage::kNew, step,
           "a request is queued that is not new");
    expect(request == nullptr || request->may_queue, step,
           "a request waits that was to run now or not at all");
  }

  void hold(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
    const Stage at = stage(dispatch.request, mirror);
    expect(at == Stage::kNew || at == Stage::kWaiting, step,
           "a request is dispatched that does not wait");
    expect(mirror.find(dispatch.attempt) == nullptr, step, "two attempts have one id");
  }

  void hold(const core::Promoted& promoted, const Step& step, const Mirror& mirror) {
    expect(stage(promoted.request, mirror) == Stage::kWaiting, step,
           "a request changes its lane that does not wait");
  }

  void hold(const core::Requeued& requeued, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(requeued.request);
    const bool runs = request != nullptr && request->stage == Stage::kRunning;
    expect(runs, step, "a request is to wait again that does not run");
    if (!runs) return;
    const bool is_over = ended_now(*request, mirror);
    expect(is_over || requeued.cause == core::Reason::kNone, step,
           "a request waits again though its attempt goes on");
  }

  static bool ended_now(const SeenRequest& request, const Mirror& mirror) {
    return mirror.heard().ended && mirror.heard().ended->id == request.attempt;
  }

  void hold(const core::Finish& finish, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(finish.request);
    const bool open = request != nullptr && request->stage != Stage::kEnded;
    expect(open, step, "a request has ended twice, or never was");
    if (open) expect(fits(finish, *request, mirror), step, "an outcome does not fit its event");
  }

  static bool fits(const core::Finish& finish, const SeenRequest& request, const Mirror& mirror) {
    switch (finish.outcome) {
      case Outcome::kRefused:
        return request.stage == Stage::kNew;
      case Outcome::kExpired:
        return request.stage != Stage::kRunning;
      case Outcome::kCancelled:
        return mirror.heard().cancelled == request.id;
      case Outcome::kCompleted:
        return ended_now(request, mirror) && answered(request);
      case Outcome::kFailed:
        return ended_now(request, mirror) && !answered(request);
    }
    return false;
  }

  static bool answered(const SeenRequest& request) {
    return request.result == AttemptResult::kAnswered || request.result == AttemptResult::kRejected;
  }

  template <class Other>
  void hold(const Other&, const Step&, const Mirror&) {}
};

}  // namespace

std::unique_ptr<Check> one_outcome_check() {
  return std::make_unique<OneOutcome>();
}

}  // namespace sluice::sim
