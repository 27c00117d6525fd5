// Decisions (R40; decision.h): each is told with what was weighed, right before what follows from
// it. A request has one admission record, before anything else is said of it, with the reason of
// its refusal; a Dispatch comes right after the record that names its node, and a task is given up
// as hopeless right after one that says so. Nothing that is listed would have been better.
#include <cmath>
#include <utility>
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

using core::AdmissionRecord;
using core::Mark;
using core::PlacementRecord;
using core::Reason;
using core::Verdict;
using core::Weighed;

// Whether it goes with the best that it has seen, and does not draw among some of them.
bool takes_the_best(const core::Options& options) {
  switch (options.policy.placement) {
    case core::PlacementKind::kRandom:
    case core::PlacementKind::kPowerOfTwo:
      return false;
    case core::PlacementKind::kScore:
      return options.placement.top_k == 1;
    default:
      return true;
  }
}

class Decisions : public Check {
 public:
  Decisions() : Check("decisions") {}

  void before(const Step&, const Mirror&) override {
    last_ = nullptr;
    admission_ = nullptr;
  }

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    std::visit([&](const auto& a) { hold(a, step, mirror); }, action);
    last_ = std::get_if<PlacementRecord>(&action);
  }

  void after(const Step& step, const Mirror& mirror) override {
    expect((admission_ != nullptr) == (mirror.heard().submitted != nullptr), step,
           "a request without its admission record, or one without a request");
  }

 private:
  void hold(const AdmissionRecord& record, const Step& step, const Mirror& mirror) {
    expect(admission_ == nullptr, step, "two admission records at once");
    admission_ = &record;
    const core::Submitted* const submitted = mirror.heard().submitted;
    expect(submitted != nullptr && submitted->request == record.request, step,
           "an admission record of another request");
    const SeenRequest* const request = mirror.find(record.request);
    expect(request != nullptr && request->stage == Stage::kNew, step,
           "an admission record after the fact");
    expect(core::lane_of(record.priority) == record.lane, step, "a priority of another lane");
    expect(record.work_ahead >= Duration::zero() && record.service >= Duration::zero() &&
               std::isfinite(record.slots) && record.share >= 0 && record.share <= 1,
           step, "an admission record with impossible figures");
    // R20: only by what was measured; or by the time that loading the model takes, where it is
    // loaded nowhere.
    const bool cold = record.service == Duration::zero();
    expect(record.reason != Reason::kWouldMissDeadline || record.trusted || cold, step,
           "a refusal by a prediction that is not trusted");
  }

  void hold(const PlacementRecord& record, const Step& step, const Mirror& mirror) {
    const bool chosen = record.listed > 0 && record.best[0].node == record.node;
    expect(record.listed <= record.best.size() && record.listed <= record.considered, step,
           "a record lists more than was considered");
    expect(chosen == record.node.valid(), step, "a record does not list what it chose");
    for (std::size_t i = 0; i < record.listed; ++i) {
      hold(record.best[i], step, mirror);
      for (std::size_t j = 0; j < i; ++j) {
        expect(record.best[j].node != record.best[i].node, step, "a node is listed twice");
      }
    }
    if (record.verdict == Verdict::kRun) hold_choice(record, step, mirror);
  }

  void hold(const Weighed& weighed, const Step& step, const Mirror& mirror) {
    const bool is_node = weighed.node.value < mirror.options().nodes.size();
    expect(is_node && mirror.node(weighed.node.value).ready, step,
           "a node is listed that is not ready");
    expect(weighed.predicted >= Duration::zero() && std::isfinite(weighed.cost), step,
           "a node is listed with impossible figures");
  }

  void hold_choice(const PlacementRecord& record, const Step& step, const Mirror& mirror) {
    expect(record.listed > 0, step, "a task is to run nowhere");
    const Weighed& first = record.best[0];
    expect(!first.has(Mark::kBusy) && !first.has(Mark::kKept), step,
           "a task is to run where nothing is free for it");
    if (!takes_the_best(mirror.options()) || first.has(Mark::kByTime)) return;
    // Of several other paths the record does not say which is the next.
    if (first.has(Mark::kOtherPath)) return;
    for (std::size_t i = 1; i < record.listed; ++i) {
      expect(!(rank(record.best[i]) < rank(first)), step,
             "a better node is listed than the one that was chosen");
    }
  }

  // A strategy looks at costs, and minds lateness only as far as these do.
  static std::pair<int, double> rank(const Weighed& weighed) {
    return {weighed.marks & ~static_cast<int>(Mark::kLate), weighed.cost};
  }

  void hold(const core::Dispatch& dispatch, const Step& step, const Mirror&) {
    expect(is_last(dispatch.task, Verdict::kRun) && last_->node == dispatch.node &&
               last_->lane == dispatch.lane && last_->priority == dispatch.priority,
           step, "a dispatch without the record that explains it");
  }

  void hold(const core::Finish& finish, const Step& step, const Mirror& mirror) {
    if (finish.reason == Reason::kDeadlineUnreachable) {
      expect(is_last(finish.task, Verdict::kHopeless), step,
             "a task is given up without the record that explains it");
    }
    const SeenRequest* const request = mirror.find(finish.request);
    if (request == nullptr || request->stage != Stage::kNew) return;
    const bool told = admission_ != nullptr && admission_->request == finish.request;
    // One that was to run at once, and for which nothing that was free was good enough.
    const bool let_in =
        told && admission_->reason == Reason::kNone && finish.reason == Reason::kWouldQueue;
    expect(told && (let_in || admission_->reason == finish.reason ||
                    finish.outcome != core::Outcome::kRefused),
           step, "a refusal without the record that explains it");
  }

  void hold(const core::Queued& queued, const Step& step, const Mirror&) {
    expect(admission_ != nullptr && admission_->task == queued.task &&
               admission_->reason == Reason::kNone && admission_->model == queued.model,
           step, "a request is queued whose record does not say so");
  }

  template <class Other>
  void hold(const Other&, const Step&, const Mirror&) {}

  bool is_last(core::TaskId task, Verdict verdict) const {
    return last_ != nullptr && last_->task == task && last_->verdict == verdict;
  }

  // Of the step in progress.
  const PlacementRecord* last_ = nullptr;  // the action before, if it was one
  const AdmissionRecord* admission_ = nullptr;
};

}  // namespace

std::unique_ptr<Check> decisions_check() {
  return std::make_unique<Decisions>();
}

}  // namespace sluice::sim
