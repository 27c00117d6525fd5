// Retries (R29; retry_budget.h): only what may run twice and has not begun to be answered is tried
// again, at most `most_attempts` times (and once more for each time it was preempted), only where
// the policy adapts, and over the whole run
//     retries + hedges ≤ share × first attempts + floor × time + burst.
#include <cmath>
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Retries : public Check {
 public:
  Retries() : Check("retries") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    if (const auto* dispatch = std::get_if<core::Dispatch>(&action)) {
      const SeenRequest* const request = mirror.find(dispatch->request);
      if (request == nullptr) return;
      if (request->attempts == 0) ++first_attempts_;
      if (request->stage == Stage::kRunning) hold_budget(step, mirror);
    }
    const auto* const requeued = std::get_if<core::Requeued>(&action);
    if (requeued == nullptr || requeued->cause == core::Reason::kNone) return;
    if (const SeenRequest* const request = mirror.find(requeued->request)) {
      hold(*request, step, mirror);
    }
  }

 private:
  void hold(const SeenRequest& request, const Step& step, const Mirror& mirror) {
    const core::Options& options = mirror.options();
    expect(options.policy.control == core::Control::kAdaptive, step,
           "a retry under a policy that has none");
    expect(request.retriable, step, "a request is tried again that may not run twice");
    expect(request.attempts - request.preemptions < options.retry.most_attempts, step,
           "a request is tried too often");
    const auto& ended = mirror.heard().ended;
    expect(ended && !ended->answer_started, step,
           "a request is tried again though its answer has begun");
    hold_budget(step, mirror);
  }

  void hold_budget(const Step& step, const Mirror& mirror) {
    ++retries_;
    const core::RetryBudgetOptions& budget = mirror.options().retry.budget;
    // The core's clock starts at zero.
    const double most = budget.share * static_cast<double>(first_attempts_) +
                        budget.floor_per_second * to_seconds(mirror.now().time_since_epoch()) +
                        budget.burst;
    expect(static_cast<double>(retries_) <= most + kRounding, step, "more retries than the budget");
  }

  static constexpr double kRounding = 1e-3;

  std::uint64_t first_attempts_ = 0;
  std::uint64_t retries_ = 0;
};

}  // namespace

std::unique_ptr<Check> retries_check() {
  return std::make_unique<Retries>();
}

}  // namespace sluice::sim
