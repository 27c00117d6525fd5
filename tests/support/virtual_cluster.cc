#include "support/virtual_cluster.h"

#include <utility>

#include "base/check.h"

namespace sluice::test {

using namespace core;

VirtualCluster::VirtualCluster(Options options, ClusterBehaviour behaviour)
    : scheduler_(std::move(options)), behaviour_(std::move(behaviour)), random_(behaviour_.seed) {
  for (const NodeOptions& node : scheduler_.options().nodes) {
    nodes_.push_back({.slots = node.slots});
  }
}

void VirtualCluster::at(TimePoint when, std::function<void()> what) {
  moments_.push({when, order_++, std::move(what)});
}

void VirtualCluster::submit_at(TimePoint when, Labels labels) {
  const RequestId request{next_request_++};
  at(when, [this, request, labels] {
    tell(Submitted{.request = request, .labels = labels, .arrival = now_});
  });
}

void VirtualCluster::cancel_at(TimePoint when, RequestId request) {
  at(when, [this, request] {
    const auto task = task_of_request_.find(static_cast<std::uint64_t>(request));
    if (task != task_of_request_.end()) tell(Cancelled{.task = task->second});
  });
}

void VirtualCluster::report_at(TimePoint when, NodeReport report) {
  at(when, [this, report] { tell(report); });
}

void VirtualCluster::load_at(TimePoint when, NodeId node, ModelId model) {
  at(when, [this, node, model] {
    nodes_[node.value].memory.insert(model);
    tell(ModelLoaded{.node = node, .model = model});
  });
}

void VirtualCluster::figures_at(TimePoint when, NodeFiguresReport figures) {
  at(when, [this, figures] { tell(figures); });
}

void VirtualCluster::run() {
  run_until(kNever);
}

void VirtualCluster::run_until(TimePoint end) {
  while (!moments_.empty() && moments_.top().at <= end) {
    // Moved out through a copy of the handle: top() is const.
    Moment moment = moments_.top();
    moments_.pop();
    now_ = std::max(now_, moment.at);
    moment.what();
    schedule_wakeup();
  }
  scheduler_.check_invariants();
}

void VirtualCluster::tell(const Event& event) {
  scheduler_.handle(event, now_, actions_);
  const bool repeatable = !std::holds_alternative<Submitted>(event);
  if (noise_ && repeatable) scheduler_.handle(event, now_, actions_);
  SLUICE_CHECK(scheduler_.counters().conserved(), "conservation");
  if (++events_ % 64 == 0) scheduler_.check_invariants();
  const ActionBuffer decided = std::exchange(actions_, {});
  for (const Action& action : decided) carry_out(action);
}

void VirtualCluster::carry_out(const Action& action) {
  std::visit([this](const auto& a) { carry_out_one(a); }, action);
}

void VirtualCluster::carry_out_one(const Queued& queued) {
  task_of_request_[static_cast<std::uint64_t>(queued.request)] = queued.task;
}

void VirtualCluster::carry_out_one(const Dispatch& dispatch) {
  const NodeView view = scheduler_.node(dispatch.node);
  SLUICE_CHECK(view.ready, "dispatched to a node that is down");
  const NodeOptions& node = scheduler_.options().nodes[dispatch.node.value];
  SLUICE_CHECK(!node.managed || nodes_[dispatch.node.value].memory.contains(dispatch.model),
               "dispatched to a node that does not have the model in memory");
  task_of_request_[static_cast<std::uint64_t>(dispatch.request)] = dispatch.task;
  model_of_attempt_[dispatch.attempt.packed()] = dispatch.model;
  dispatches_.push_back(dispatch);
  if (on_dispatch) on_dispatch(dispatch);
  at(now_ + behaviour_.one_way, [this, dispatch] { arrive_at_node(dispatch); });
}

void VirtualCluster::carry_out_one(const Finish& finish) {
  const auto [at, is_new] =
      ended_.emplace(static_cast<std::uint64_t>(finish.request), Ended{finish, now_});
  SLUICE_CHECK(is_new, "a request had two outcomes");
}

// In memory from the order on, as far as room is concerned; usable when that is told.
void VirtualCluster::carry_out_one(const LoadModel& load) {
  ++loads_;
  std::set<ModelId>& memory = nodes_[load.node.value].memory;
  memory.insert(load.model);
  std::uint64_t used = 0;
  for (const ModelId model : memory) used += scheduler_.options().models[model.value].memory_bytes;
  SLUICE_CHECK(used <= scheduler_.options().nodes[load.node.value].memory_bytes.value_or(used),
               "more models are loaded than there is memory for");
  const bool ok = random_.uniform() >= behaviour_.load_failure_share;
  at(now_ + behaviour_.load, [this, load, ok] {
    if (!ok) nodes_[load.node.value].memory.erase(load.model);
    tell(ModelLoaded{.node = load.node, .model = load.model, .ok = ok});
  });
}

void VirtualCluster::carry_out_one(const UnloadModel& unload) {
  ++unloads_;
  at(now_ + behaviour_.one_way, [this, unload] {
    nodes_[unload.node.value].memory.erase(unload.model);
    tell(ModelUnloaded{.node = unload.node, .model = unload.model});
  });
}

void VirtualCluster::arrive_at_node(const Dispatch& dispatch) {
  FakeNode& node = nodes_[dispatch.node.value];
  if (node.busy < node.slots) {
    begin_service(dispatch.node, dispatch.attempt);
  } else {
    node.waiting.push(dispatch.attempt);
  }
}

void VirtualCluster::begin_service(NodeId node, AttemptId attempt) {
  ++nodes_[node.value].busy;
  const ModelId model = model_of_attempt_.at(attempt.packed());
  const double mean_ms = to_ms(behaviour_.service[model.value]);
  double service_ms = random_.lognormal(mean_ms, behaviour_.service_cv);
  if (behaviour_.slowness) service_ms *= behaviour_.slowness(node, now_);
  const Duration service = from_ms(service_ms);
  at(now_ + service, [this, node, attempt] { end_service(node, attempt); });
}

void VirtualCluster::end_service(NodeId node, AttemptId attempt) {
  FakeNode& fake = nodes_[node.value];
  --fake.busy;
  if (!fake.waiting.empty()) {
    const AttemptId next = fake.waiting.front();
    fake.waiting.pop();
    begin_service(node, next);
  }
  const double fate = random_.uniform();
  AttemptResult result =
      behaviour_.result ? behaviour_.result(node, now_) : AttemptResult::kAnswered;
  if (fate < behaviour_.lost_share + behaviour_.error_share) result = AttemptResult::kError;
  const bool lost = fate < behaviour_.lost_share;
  at(now_ + behaviour_.one_way, [this, attempt, result, lost] {
    if (lost) return tell(AttemptLost{.attempt = attempt});
    if (result == AttemptResult::kAnswered) tell(AnswerStarted{.attempt = attempt});
    tell(AttemptFinished{.attempt = attempt, .result = result});
  });
}

void VirtualCluster::schedule_wakeup() {
  const TimePoint wanted = std::max(scheduler_.next_wakeup(), now_);
  if (scheduler_.next_wakeup() == kNever || wanted >= wakeup_) return;
  wakeup_ = wanted;
  at(wanted, [this] {
    wakeup_ = kNever;
    tell(Tick{});
  });
}

std::uint32_t VirtualCluster::count(Outcome outcome) const {
  std::uint32_t n = 0;
  for (const auto& [id, e] : ended_) n += e.finish.outcome == outcome;
  return n;
}

std::uint32_t VirtualCluster::count(Reason reason) const {
  std::uint32_t n = 0;
  for (const auto& [id, e] : ended_) n += e.finish.reason == reason;
  return n;
}

Options simple_options(std::uint32_t models, std::uint32_t nodes, std::uint32_t slots) {
  Options options;
  options.task_types = {"image"};
  std::vector<ModelId> all;
  for (std::uint32_t m = 0; m < models; ++m) {
    options.models.push_back({.name = "m" + std::to_string(m),
                              .task_type = TaskTypeId{0},
                              .weight = WeightClass::kLight});
    all.push_back({m});
  }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    options.nodes.push_back({.name = "n" + std::to_string(n), .models = all, .slots = slots});
  }
  return options;
}

void all_ready(VirtualCluster& cluster) {
  const auto nodes = static_cast<std::uint32_t>(cluster.scheduler().options().nodes.size());
  for (std::uint32_t n = 0; n < nodes; ++n) {
    cluster.report_at(TimePoint{}, {.node = NodeId{n}, .ready = true});
  }
}

}  // namespace sluice::test
