// Random sequences of events over random small clusters and all policies, held against a model of
// what may happen (scheduler_model.h). Failures are shrunk to the shortest sequence that shows
// them.
#include <array>
#include <optional>
#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "property/scheduler_model.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

// One thing that happens. What its numbers mean depends on what there is by then, so that every
// sequence has a meaning and a shrunk one, too.
enum class What {
  kSubmit,
  kCancel,
  kFinish,
  kAnswer,
  kLose,
  kReport,
  kOrder,
  kFigures,
  kTick,
  kWait,
  kGoBack
};
struct Step {
  What what = What::kTick;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  static constexpr std::array<const char*, 11> kNames{"submit", "cancel", "finish", "answer",
                                                      "lose",   "report", "order",  "figures",
                                                      "tick",   "wait",   "go back"};
  return out << kNames.at(static_cast<std::size_t>(step.what)) << '(' << step.a << ", " << step.b
             << ", " << step.c << ')';
}

rc::Gen<Step> any_step() {
  const auto what = rc::gen::weightedElement<What>({{12, What::kSubmit},
                                                    {2, What::kCancel},
                                                    {8, What::kFinish},
                                                    {1, What::kAnswer},
                                                    {1, What::kLose},
                                                    {2, What::kReport},
                                                    {3, What::kOrder},
                                                    {2, What::kFigures},
                                                    {1, What::kTick},
                                                    {5, What::kWait},
                                                    {1, What::kGoBack}});
  const auto number = rc::gen::inRange<std::uint32_t>(0, 1'000);
  return rc::gen::build<Step>(rc::gen::set(&Step::what, what), rc::gen::set(&Step::a, number),
                              rc::gen::set(&Step::b, number), rc::gen::set(&Step::c, number));
}

// Up to three models and four nodes; which node has which models is drawn, too.
struct Cluster {
  std::uint32_t policy = 0;
  std::uint32_t models = 1;
  std::vector<std::uint32_t> nodes;  // each a number that its options are taken from
  std::uint32_t limits = 0;
};

std::ostream& operator<<(std::ostream& out, const Cluster& cluster) {
  out << kPolicies.at(cluster.policy).name << ", " << cluster.models << " models, nodes";
  for (const std::uint32_t node : cluster.nodes) out << ' ' << node;
  return out << ", limits " << cluster.limits;
}

rc::Gen<Cluster> any_cluster() {
  const auto some_nodes = rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 5), [](std::size_t n) {
    return rc::gen::container<std::vector<std::uint32_t>>(
        n, rc::gen::inRange<std::uint32_t>(0, 10'000));
  });
  return rc::gen::build<Cluster>(
      rc::gen::set(&Cluster::policy, rc::gen::inRange<std::uint32_t>(0, kPolicies.size())),
      rc::gen::set(&Cluster::models, rc::gen::inRange<std::uint32_t>(1, 4)),
      rc::gen::set(&Cluster::nodes, some_nodes),
      rc::gen::set(&Cluster::limits, rc::gen::inRange<std::uint32_t>(0, 1'000)));
}

NodeOptions node_of(std::uint32_t number, std::uint32_t models) {
  NodeOptions node;
  // At least one model.
  const std::uint32_t mask = number % 7 + 1;
  for (std::uint32_t m = 0; m < models; ++m) {
    if ((mask >> m & 1) != 0 || (m == 0 && (mask & ((1u << models) - 1)) == 0)) {
      node.models.push_back({m});
    }
  }
  node.slots = 1 + number / 7 % 2;
  if (number / 14 % 3 != 0) node.credits = number / 14 % 3 + number / 42 % 3;
  if (number / 126 % 2 != 0) node.round_trip = 4ms;
  if (number / 252 % 4 == 3) {
    const auto from = static_cast<Priority>(number / 1'008 % 5);
    node.accepts = PriorityRange{from, static_cast<Priority>(from + 5)};
  }
  node.standby = number % 11 == 3;
  node.path = PathId{number / 13 % 3};
  if (number / 252 % 2 != 0) node.cancel = CancelMode::kStops;
  node.managed = number / 252 % 3 == 0;
  if (number / 756 % 3 != 0) node.memory_bytes = number / 756 % 3 * 4;
  if (number / 252 % 5 == 0) node.pinned = {node.models.front()};
  return node;
}

Options options_of(const Cluster& cluster) {
  Options options;
  options.seed = cluster.limits;
  options.policy = kPolicies.at(cluster.policy);
  options.policy.placement = PlacementKind(cluster.limits / 4 % kPlacementNames.size());
  options.placement.least_score = cluster.limits % 5 == 0 ? 0.5 : 0;
  if (cluster.limits % 7 < 2) {
    options.policy.ordering = cluster.limits % 7 == 0 ? Ordering::kSlack : Ordering::kShortest;
  }
  options.task_types = {"image"};
  options.models.resize(cluster.models, {.task_type = TaskTypeId{0}});
  options.models.back().hedge = cluster.limits / 20 % 2 == 0;
  options.tenants.push_back({.name = "other"});
  for (std::uint32_t m = 0; m < cluster.models; ++m) {
    options.models[m].memory_bytes = 2 + m;
    options.models[m].load_time = 20ms;
  }
  options.residency.load_timeout = 400ms;
  options.residency.idle = 50ms;
  options.paths = {"hot", "warm", "cold"};
  options.path = {.failures_in_a_row = 2, .hold = 20ms, .probes = 2, .least_stay = 5ms};
  for (const std::uint32_t number : cluster.nodes) {
    options.nodes.push_back(node_of(number, cluster.models));
    // Where a task is bound to a node depends on what is loaded: the model does not know that.
    if (options.policy.binding != Binding::kLate) options.nodes.back().managed = false;
  }
  // A standby is ready at once: nothing of it comes and goes.
  const bool any_managed = std::any_of(options.nodes.begin(), options.nodes.end(),
                                       [](const NodeOptions& node) { return node.managed; });
  for (NodeOptions& node : options.nodes) node.standby = node.standby && !any_managed;
  for (LaneOptions& lane : options.lanes) {
    lane.capacity = 2 + cluster.limits % 10;
    lane.capacity_bytes = 2'000 + cluster.limits;
    lane.max_age = cluster.limits % 2 == 0 ? 200ms : 60s;
    lane.saturation = cluster.limits / 10 % 2 == 0 ? Saturation::kReject : Saturation::kShed;
  }
  options.promotion.after = 50ms;
  // The rank of a task is then its arrival and priority: no secret of the core's.
  options.score.per_expected_service = 0;
  options.score.per_drop_share = 0ms;
  options.score.shortest_service = 0;
  // Never trusted, or at once.
  options.predictor.min_samples = cluster.limits % 3 == 0 ? 1'000 : 1 + cluster.limits % 3;
  return options;
}

Labels labels_of(const Step& step, std::uint32_t models) {
  Labels labels{.model = ModelId{step.a % models}, .tenant = TenantId{step.b % 2}};
  labels.retriable = step.b % 3 == 0;
  labels.priority = static_cast<Priority>(step.a / models % 10);
  labels.budget = std::chrono::milliseconds(static_cast<int>(step.b % 400) - 10);
  labels.size_bytes = step.c;
  labels.may_queue = step.c % 10 != 0;
  labels.teaches = step.c % 7 != 0;
  return labels;
}

// A task that is or was there, or one that never was.
TaskId some_task(const SchedulerModel& model, const Step& step) {
  if (step.b % 5 == 0 || model.request_count() == 0) return TaskId{step.a % 20, step.c % 5};
  return model.task(step.a % model.request_count());
}

// The same for an attempt: mostly one that runs.
AttemptId some_attempt(const SchedulerModel& model, const Step& step) {
  const auto live = model.live_attempts();
  if (step.c % 10 != 0 && !live.empty()) return live[step.a % live.size()];
  const auto& dead = model.dead_attempts();
  if (step.c % 20 != 0 && !dead.empty()) return dead[step.a % dead.size()];
  // Never one that runs by chance: the model has to know.
  return AttemptId{step.a, 0};
}

void play(SchedulerModel& model, const Step& step, std::uint32_t models) {
  switch (step.what) {
    case What::kSubmit:
      return model.submit(labels_of(step, models),
                          model.now() - std::chrono::milliseconds(step.c % 30) + 5ms);
    case What::kCancel:
      return model.cancel(some_task(model, step));
    case What::kFinish:
      return model.finish(some_attempt(model, step), AttemptResult(step.b % 8 * (step.b % 3 / 2)));
    case What::kAnswer:
      return model.answer(some_attempt(model, step));
    case What::kLose:
      return model.lose(some_attempt(model, step));
    case What::kReport:
      return model.report(
          {.node = NodeId{step.a % 5},
           .ready = step.b % 3 != 0,
           .round_trip = step.c % 2 == 0 ? std::optional<Duration>(step.c * 10us) : std::nullopt});
    case What::kOrder:
      return model.answer_order(step.a, step.b % 4 != 0);
    case What::kFigures:
      return model.report(NodeFiguresReport{.node = NodeId{step.a % 5},
                                            .utilisation = step.b % 110 / 100.0,
                                            .memory = step.c % 110 / 100.0,
                                            .age = std::chrono::milliseconds(step.a * 20)});
    case What::kTick:
      return model.tick();
    case What::kWait:
      return model.move_time(std::chrono::microseconds(step.a * (step.b % 100)));
    case What::kGoBack:
      return model.move_time(-std::chrono::milliseconds(step.a % 50));
  }
}

struct Played {
  std::string log;
  std::vector<std::byte> state;  // at the end

  bool operator==(const Played&) const = default;
};

// `restore_every`: after so many steps each time another scheduler goes on; 0: never.
Played play_all(const Cluster& cluster, const std::vector<Step>& steps,
                std::size_t restore_every = 0) {
  SchedulerModel model(options_of(cluster));
  // Most clusters are up from the beginning; nodes of the others are heard of by chance.
  for (std::uint32_t n = 0; n < cluster.nodes.size(); ++n) {
    if (cluster.nodes[n] % 4 != 0) model.report({.node = NodeId{n}, .ready = true});
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (restore_every > 0 && i % restore_every == 0) model.restore();
    play(model, steps[i], cluster.models);
  }
  model.drain();
  RC_ASSERT(model.all_ended());
  RC_ASSERT(model.scheduler().counters().attempts == 0u);
  RC_ASSERT(model.scheduler().counters().ended() == model.request_count());
  for (std::uint32_t n = 0; n < cluster.nodes.size(); ++n) {
    RC_ASSERT(model.scheduler().node({n}).in_flight == 0u);
  }
  return {model.log(), model.state()};
}

rc::Gen<std::vector<Step>> any_steps() {
  return rc::gen::scale(3.0, rc::gen::container<std::vector<Step>>(any_step()));
}

RC_GTEST_PROP(SchedulerProperty, KeepsItsPromisesWhateverHappens, ()) {
  const Cluster cluster = *any_cluster();
  const auto steps = *any_steps();
  play_all(cluster, steps);
}

RC_GTEST_PROP(SchedulerProperty, SameEventsSameActions, ()) {
  const Cluster cluster = *any_cluster();
  const auto steps = *any_steps();
  RC_ASSERT(play_all(cluster, steps) == play_all(cluster, steps));
}

// Written down and read back at any moment, it decides what it would have decided, and knows in the
// end what it would have known.
RC_GTEST_PROP(SchedulerProperty, GoesOnAfterBeingRestored, ()) {
  const Cluster cluster = *any_cluster();
  const auto steps = *any_steps();
  const auto every = *rc::gen::inRange<std::size_t>(1, 40);
  RC_ASSERT(play_all(cluster, steps, every) == play_all(cluster, steps));
}

}  // namespace
}  // namespace sluice::core
