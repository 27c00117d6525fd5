// Bad input (scheduler.h, event.h): an event that names nothing alive, that repeats what was said,
// or whose time lies in the past is counted, once for each of these, and does nothing else.
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
};

}  // namespace

std::unique_ptr<Check> bad_input_check() {
  return std::make_unique<BadInput>();
}

}  // namespace sluice::sim
