// Memory (design.md, "bounds everywhere"): no lane holds more tasks or bytes than it may, but for
// those that wait again; tasks, attempts, flows and shares stay within what the options add up to.
#include <algorithm>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"
#include "sim/core_options.h"

namespace sluice::sim {
namespace {

class Tables : public Check {
 public:
  Tables() : Check("tables") {}

  void after(const Step& step, const Mirror& mirror) override {
    if (step.actions.empty()) return;
    const core::Options& options = mirror.options();
    if (most_tasks_ == 0) {
      most_tasks_ = most_requests(options);
      most_attempts_ = most_attempts(options);
      most_shares_ = options.tenants.size() * core::kLanes * classes(mirror);
    }
    for (int lane = 0; lane < core::kLanes; ++lane) hold_lane(core::Lane(lane), step, mirror);
    const core::TableSizes sizes = step.scheduler.table_sizes();
    expect(sizes.tasks <= most_tasks_, step, "more tasks than queues and credits have room for");
    expect(sizes.attempts <= most_attempts_, step, "more attempts than credits");
    expect(sizes.flows <= mirror.waiting(), step, "flows with nothing in them");
    expect(sizes.shares <= most_shares_, step, "more shares than tenants in groups");
  }

 private:
  static std::size_t classes(const Mirror& mirror) {
    const bool late = mirror.options().policy.binding == core::Binding::kLate;
    return late ? mirror.class_count() : mirror.options().nodes.size();
  }

  void hold_lane(core::Lane lane, const Step& step, const Mirror& mirror) {
    const core::LaneOptions& options = mirror.options().lanes[static_cast<std::size_t>(lane)];
    const core::LaneView view = step.scheduler.lane(lane);
    expect(view.waiting == mirror.waiting(lane), step,
           "a lane holds other tasks than were queued there");
    expect(view.waiting <= options.capacity + mirror.waiting_again(lane), step,
           "a lane holds more tasks than it may");
    expect(view.waiting_bytes <= options.capacity_bytes || mirror.waiting_again(lane) > 0, step,
           "a lane holds more bytes than it may");
  }

  std::size_t most_tasks_ = 0;
  std::size_t most_attempts_ = 0;
  std::size_t most_shares_ = 0;
};

}  // namespace

std::unique_ptr<Check> tables_check() {
  return std::make_unique<Tables>();
}

}  // namespace sluice::sim
