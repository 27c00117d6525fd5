// Bad input (scheduler.h, event.h): an event that names nothing alive, that repeats what was said,
// or whose time lies in the past is counted, once for each of these, and does nothing else. So are
// figures of nodes that are no shares.
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class BadInput : public Check {
 public:
  BadInput() : Check("bad input") {}

  void after(const Step& step, const Mirror& mirror) override {
    const Heard& heard = mirror.heard();
    std::uint64_t senseless = heard.senseless;
    // Its task has expired in this very call, before the event was heard.
    if (heard.cancelled && !was_cancelled(*heard.cancelled, step)) ++senseless;
    ignored_ += senseless;
    expect(step.scheduler.counters().ignored_events == ignored_, step,
           "senseless events are not counted, or sensible ones are");
    no_shares_ += heard.no_shares;
    expect(step.scheduler.counters().rejected_figures == no_shares_, step,
           "figures that are no shares are not counted, or others are");
  }

 private:
  static bool was_cancelled(core::RequestId request, const Step& step) {
    for (const core::Action& action : step.actions) {
      const auto* const finish = std::get_if<core::Finish>(&action);
      if (finish != nullptr && finish->request == request) {
        return finish->outcome == core::Outcome::kCancelled;
      }
    }
    return false;
  }

  std::uint64_t ignored_ = 0;
  std::uint64_t no_shares_ = 0;
};

}  // namespace

std::unique_ptr<Check> bad_input_check() {
  return std::make_unique<BadInput>();
}

}  // namespace sluice::sim
