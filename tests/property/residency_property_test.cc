// Which models are loaded where, over any events in any order, with devices that hold what they are
// told to hold: memory is never exceeded, reservations are kept, a model has one load at a time,
// and everything that is begun ends.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "core/placement/residency.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

// What its numbers mean depends on what there is by then.
enum class What { kWaits, kLeaves, kAsk, kBegin, kEnd, kAnswer, kFail, kSenseless, kReport, kPass };
struct Step {
  What what = What::kPass;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  static constexpr std::array<const char*, 10> kNames{
      "waits", "leaves", "ask", "begin", "end", "answer", "fail", "senseless", "report", "pass"};
  return out << kNames.at(static_cast<std::size_t>(step.what)) << '(' << step.a << ", " << step.b
             << ')';
}

rc::Gen<Step> any_step() {
  const auto what = rc::gen::weightedElement<What>({{8, What::kWaits},
                                                    {5, What::kLeaves},
                                                    {1, What::kAsk},
                                                    {6, What::kBegin},
                                                    {6, What::kEnd},
                                                    {8, What::kAnswer},
                                                    {2, What::kFail},
                                                    {1, What::kSenseless},
                                                    {2, What::kReport},
                                                    {6, What::kPass}});
  const auto number = rc::gen::inRange<std::uint32_t>(0, 1'000);
  return rc::gen::build<Step>(rc::gen::set(&Step::what, what), rc::gen::set(&Step::a, number),
                              rc::gen::set(&Step::b, number));
}

// Up to five models and three nodes of 12 bytes; sizes and reservations are drawn.
Options any_options() {
  Options options;
  options.task_types = {"image"};
  const auto models = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 4);
  std::vector<ModelId> all;
  std::uint64_t reserved = 0;
  for (std::uint32_t m = 0; m < models; ++m) {
    ModelOptions model{.task_type = TaskTypeId{0}};
    model.memory_bytes = *rc::gen::inRange<std::uint64_t>(1, 9);
    const auto wish = *rc::gen::inRange<std::uint64_t>(0, 10);
    if (wish < 6 && reserved + wish <= 8) model.reserved_bytes = wish;
    reserved += model.reserved_bytes;
    model.warm_replicas = *rc::gen::inRange<std::uint32_t>(0, 3);
    options.models.push_back(model);
    all.push_back({m});
  }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    NodeOptions node{.models = all, .managed = true, .memory_bytes = 12};
    // Now and then one that is not managed, or has memory for everything.
    const auto kind = *rc::gen::inRange(0, 10);
    node.managed = kind != 0;
    if (kind == 1) node.memory_bytes.reset();
    if (kind == 2) node.accepts = PriorityRange{3, 9};
    if (kind > 6) node.pinned = {ModelId{*rc::gen::inRange<std::uint32_t>(0, models)}};
    options.nodes.push_back(node);
  }
  if (*rc::gen::inRange(0, 4) == 0) options.policy.control = Control::kStatic;
  return options;
}

// The nodes, and everything that the core may expect of whoever drives it.
class World {
 public:
  explicit World(Options options)
      : options_(std::move(options)),
        eligibility_(options_),
        residency_(options_, eligibility_),
        ready_(options_.nodes.size()),
        holds_(options_.nodes.size()) {
    for (std::uint32_t n = 0; n < ready_.size(); ++n) report({n}, true);
  }

  void play(const Step& step) {
    const ModelId model{step.a % static_cast<std::uint32_t>(options_.models.size())};
    const NodeId node{step.b % static_cast<std::uint32_t>(options_.nodes.size())};
    switch (step.what) {
      case What::kWaits:
        return wait(model, static_cast<Priority>(step.b % 10), std::chrono::milliseconds(step.b));
      case What::kLeaves:
        return leave(step.a);
      case What::kAsk:
        residency_.ask(model, static_cast<Priority>(step.b % 10), now_);
        return obey();
      case What::kBegin:
        return begin(model, step.b);
      case What::kEnd:
        return end(step.a);
      case What::kAnswer:
        return answer(step.a, true);
      case What::kFail:
        return answer(step.a, false);
      case What::kSenseless:
        return senseless(node, model, step.a % 2 == 0);
      case What::kReport:
        return report(node, step.a % 3 != 0);
      case What::kPass:
        return pass(std::chrono::milliseconds(step.a * (step.b % 100)));
    }
  }

  // Everybody answers and leaves: nothing may be left to be done.
  void come_to_rest() {
    while (!tasks_.empty()) leave(0);
    while (!attempts_.empty()) end(0);
    for (int i = 0; i < 10'000 && !orders_.empty(); ++i) answer(0, true);
    pass(1h);
    for (int i = 0; i < 10'000 && !orders_.empty(); ++i) answer(0, true);
    RC_ASSERT(orders_.empty());
    for (const auto& model : holds_) RC_ASSERT(model.size() <= options_.models.size());
    for (std::uint32_t n = 0; n < options_.nodes.size(); ++n) {
      for (const ModelId model : options_.nodes[n].models) {
        const ResidencyState state = residency_.state({n}, model);
        RC_ASSERT(state == ResidencyState::kCold || state == ResidencyState::kLoaded);
      }
    }
  }

 private:
  using Replica = std::pair<NodeId, ModelId>;
  struct TaskThatWaits {
    ModelId model;
    Priority priority;
    Duration work;
  };

  void wait(ModelId model, Priority priority, Duration work) {
    residency_.arrived(model, lane_of(priority), priority, now_);
    residency_.entered(model, lane_of(priority), priority, work, now_);
    tasks_.push_back({model, priority, work});
    obey();
  }
  void leave(std::uint32_t which) {
    if (tasks_.empty()) return;
    const auto task = tasks_.begin() + which % tasks_.size();
    residency_.left(task->model, lane_of(task->priority), task->priority, task->work);
    tasks_.erase(task);
    obey();
  }
  void begin(ModelId model, std::uint32_t which) {
    if (!residency_.manages(model) || residency_.usable(model).empty()) return;
    const auto usable = residency_.usable(model);
    const std::uint32_t replica = usable[which % usable.size()];
    const NodeId node = residency_.node_of(replica);
    RC_ASSERT(ready_[node.value]);
    RC_ASSERT(!options_.nodes[node.value].manages(model) || holds_[node.value].contains(model));
    RC_ASSERT(residency_.is_usable(replica));
    residency_.began(replica);
    attempts_.push_back(replica);
    obey();
  }
  void end(std::uint32_t which) {
    if (attempts_.empty()) return;
    const auto attempt = attempts_.begin() + which % attempts_.size();
    residency_.ended(*attempt, now_);
    attempts_.erase(attempt);
    obey();
  }
  // An order is carried out, or it is not: what is unloaded has gone only when that is said.
  void answer(std::uint32_t which, bool ok) {
    if (orders_.empty()) return;
    const auto at = orders_.begin() + which % orders_.size();
    const ResidencyOrder order = *at;
    orders_.erase(at);
    auto& holds = holds_[order.node.value];
    if (order.load) {
      if (!ok) holds.erase(order.model);
      residency_.loaded(order.node, order.model, ok, now_);
    } else {
      if (ok) holds.erase(order.model);
      residency_.unloaded(order.node, order.model, ok, now_);
    }
    obey();
  }
  // What nobody has asked for. Reports of loads that did happen may be true, and are left out.
  void senseless(NodeId node, ModelId model, bool load) {
    const ResidencyState before = residency_.state(node, model);
    if (load && before != ResidencyState::kLoading) {
      RC_ASSERT(!residency_.loaded(node, model, false, now_));
    }
    const bool asked = before == ResidencyState::kUnloading || before == ResidencyState::kAborting;
    if (!load && !asked) RC_ASSERT(!residency_.unloaded(node, model, false, now_));
    RC_ASSERT(!residency_.loaded({77}, model, true, now_));
    RC_ASSERT(!residency_.unloaded(node, {77}, true, now_));
    RC_ASSERT(residency_.state(node, model) == before);
    obey();
  }
  // A node that goes down forgets everything, and answers nothing of what it was asked.
  void report(NodeId node, bool ready) {
    ready_[node.value] = ready;
    if (!ready) {
      holds_[node.value].clear();
      std::erase_if(orders_, [&](const ResidencyOrder& o) { return o.node == node; });
    }
    residency_.set_ready(node, ready, now_);
    obey();
  }
  void pass(Duration by) {
    const TimePoint until = now_ + by;
    while (residency_.next_due() <= until) {
      now_ = std::max(now_, residency_.next_due());
      obey();
      RC_ASSERT(residency_.next_due() > now_);
    }
    now_ = until;
    obey();
  }

  void obey() {
    residency_.step(now_);
    residency_.check();
    for (const ResidencyOrder& order : std::exchange(residency_.orders(), {})) obey(order);
    for (const ResidencyChange& change : std::exchange(residency_.changes(), {})) {
      RC_ASSERT(change.from != change.to);
      RC_ASSERT(change.lasted >= 0ns);
    }
  }
  void obey(const ResidencyOrder& order) {
    RC_ASSERT(ready_[order.node.value]);
    RC_ASSERT(options_.nodes[order.node.value].manages(order.model));
    if (order.load) {
      hold_single_flight(order.model);
      holds_[order.node.value].insert(order.model);
      hold_memory(order.node);
    }
    // The last word counts: an answer to an order that was taken back is not waited for.
    std::erase_if(orders_, [&](const ResidencyOrder& o) {
      return o.node == order.node && o.model == order.model;
    });
    orders_.push_back(order);
  }
  void hold_single_flight(ModelId model) const {
    for (const ResidencyOrder& o : orders_) RC_ASSERT(!(o.load && o.model == model));
  }
  // What is there, and what is set aside for those that are not.
  void hold_memory(NodeId node) const {
    if (!options_.nodes[node.value].memory_bytes) return;
    std::uint64_t held = 0;
    for (std::uint32_t m = 0; m < options_.models.size(); ++m) {
      const ModelOptions& model = options_.models[m];
      const bool pinned = !options_.nodes[node.value].manages({m});
      const bool there = pinned || holds_[node.value].contains({m});
      held += std::max(there ? model.memory_bytes : 0, model.reserved_bytes);
    }
    RC_ASSERT(held <= *options_.nodes[node.value].memory_bytes);
  }

  Options options_;
  Eligibility eligibility_;
  Residency residency_;
  TimePoint now_{1000s};
  std::vector<bool> ready_;
  std::vector<std::set<ModelId>> holds_;  // by node: what may be in its memory
  std::vector<TaskThatWaits> tasks_;
  std::vector<std::uint32_t> attempts_;  // by replica
  std::vector<ResidencyOrder> orders_;   // not answered yet
};

RC_GTEST_PROP(ResidencyProperty, KeepsMemoryReservationsAndSingleFlight, ()) {
  World world(any_options());
  const auto steps = *rc::gen::scale(3.0, rc::gen::container<std::vector<Step>>(any_step()));
  for (const Step& step : steps) world.play(step);
  world.come_to_rest();
}

}  // namespace
}  // namespace sluice::core
