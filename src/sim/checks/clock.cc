// Time (scheduler.h): it never goes back for the core, whatever the driver's clock does; what an
// outcome says of times adds up to now; and the core never asks to be called in the past, nor
// again and again at one instant while nothing comes of it.
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Clock : public Check {
 public:
  Clock() : Check("clock") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    const auto* const finish = std::get_if<core::Finish>(&action);
    if (finish == nullptr) return;
    expect(finish->waited >= Duration::zero() && finish->service >= Duration::zero(), step,
           "a span of time is negative");
    expect(finish->arrival + finish->waited + finish->service == mirror.now(), step,
           "arrival, waiting and service do not add up to now");
  }

  void after(const Step& step, const Mirror& mirror) override {
    const TimePoint wakeup = step.scheduler.next_wakeup();
    expect(wakeup >= mirror.now(), step, "a wake-up in the past");
    const bool idle = std::holds_alternative<core::Tick>(step.event) && step.actions.empty() &&
                      wakeup == mirror.now();
    idle_in_a_row_ = idle ? idle_in_a_row_ + 1 : 0;
    expect(idle_in_a_row_ < kMostIdle, step, "the core wakes up for nothing, over and over");
  }

 private:
  static constexpr int kMostIdle = 4;

  int idle_in_a_row_ = 0;
};

}  // namespace

std::unique_ptr<Check> clock_check() {
  return std::make_unique<Clock>();
}

}  // namespace sluice::sim
