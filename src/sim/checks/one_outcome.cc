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
      hold_stopped(*cancel, step, mirror);
    }
  }

 private:
  static Stage stage(core::RequestId id, const Mirror& mirror) {
    const SeenRequest* const found = mirror.find(id);
    return found == nullptr ? Stage::kNone : found->stage;
  }

  void hold_stopped(const core::CancelAttempt& cancel, const Step& step, const Mirror& mirror) {
    const SeenAttempt* const attempt = mirror.find(cancel.attempt);
    expect(attempt != nullptr && attempt->node == cancel.node.value, step,
           "an attempt is stopped that is over");
    const SeenRequest* const of = attempt != nullptr ? mirror.find(attempt->request) : nullptr;
    const bool runs = of != nullptr && of->stage == Stage::kRunning;
    expect(!runs || of->attempt != cancel.attempt, step,
           "an attempt is stopped that its task waits for");
  }

  // Its task has ended, or waits again, or runs anew; or another attempt may still bring the
  // answer.
  void hold_end(const SeenAttempt& ended, const Step& step, const Mirror& mirror) {
    const SeenRequest* const of = mirror.find(ended.request);
    if (of == nullptr || of->stage != Stage::kRunning) return;
    expect(of->attempt != ended.id && mirror.find(of->attempt) != nullptr, step,
           "an attempt has ended, and its task runs on");
    expect(!answered(mirror.heard().result), step, "an answer has come, and its task runs on");
  }

  void hold(const core::Queued& queued, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(queued.request);
    expect(request != nullptr && request->stage == Stage::kNew, step,
           "a request is queued that is not new");
    expect(request == nullptr || request->may_queue, step,
           "a request waits that was to run now or not at all");
  }

  void hold(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
    const SeenRequest* const request = mirror.find(dispatch.request);
    const bool open = request != nullptr && request->stage != Stage::kEnded;
    expect(open, step, "a request is dispatched that has ended, or never was");
    if (open && request->stage == Stage::kRunning) hold_hedge(dispatch, *request, step, mirror);
    expect(mirror.find(dispatch.attempt) == nullptr, step, "two attempts have one id");
  }

  // A second attempt while the first one runs (hedging.cc of the core): once a task, elsewhere, and
  // only for models that ask for it and tasks that may run twice.
  void hold_hedge(const core::Dispatch& dispatch, const SeenRequest& request, const Step& step,
                  const Mirror& mirror) {
    const SeenAttempt* const first = mirror.find(request.attempt);
    expect(first != nullptr && !request.hedge.valid() && request.hedges == 0, step,
           "a request is dispatched that runs already");
    expect(mirror.options().models[dispatch.model.value].hedge && request.retriable, step,
           "a request is hedged that may not be");
    expect(first == nullptr || first->node != dispatch.node.value, step,
           "a hedge goes where the first attempt runs");
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
    const bool is_over = ended_now(*request, mirror) && mirror.find(request->attempt) == nullptr;
    expect(is_over || requeued.cause == core::Reason::kNone, step,
           "a request waits again though its attempt goes on");
  }

  static bool ended_now(const SeenRequest& request, const Mirror& mirror) {
    const auto& ended = mirror.heard().ended;
    return ended && ended->wanted && ended->request == request.id;
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
        return ended_now(request, mirror) && answered(request.result);
      case Outcome::kFailed:
        return ended_now(request, mirror) && !answered(request.result) &&
               mirror.find(request.attempt) == nullptr;
    }
    return false;
  }

  static bool answered(std::optional<AttemptResult> result) {
    return result == AttemptResult::kAnswered || result == AttemptResult::kRejected;
  }

  template <class Other>
  void hold(const Other&, const Step&, const Mirror&) {}
};

}  // namespace

std::unique_ptr<Check> one_outcome_check() {
  return std::make_unique<OneOutcome>();
}

}  // namespace sluice::sim
