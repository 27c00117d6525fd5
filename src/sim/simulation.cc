#include "sim/simulation.h"

#include <algorithm>
#include <utility>

#include "sim/books.h"
#include "sim/checks/checks.h"
#include "sim/core_options.h"
#include "sim/driver.h"
#include "sim/faults.h"
#include "sim/health.h"
#include "sim/rejoin.h"
#include "sim/scrapes.h"
#include "sim/traffic.h"
#include "sim/utilisation.h"

namespace sluice::sim {
namespace {

constexpr std::size_t kArrivals = EventQueue::kLines - 1;
// Attempts that the core has forgotten may still be at a node that it gave up, several times over.
constexpr std::uint32_t kForgotten = 4;
constexpr std::int64_t kProgressCalls = 200;

// The world of one run, and its loop.
class World {
 public:
  World(const Scenario& scenario, const PolicySpec& policy, const RunOptions& options)
      : World(scenario, policy, options,
              options.core.value_or(core_options(scenario, policy, options.seed))) {}

  Result run();

 private:
  World(const Scenario& scenario, const PolicySpec& policy, const RunOptions& options,
        const core::Options& core);

  void begin();
  void step(const Event& event);
  void arrive();
  void schedule_arrival();
  void look_at_faults(const Event& event);
  void show_progress(TimePoint now);
  Duration restore_every() const {
    return end_.time_since_epoch() / (std::int64_t{options_.restores} + 1);
  }
  void restore(TimePoint now);
  void compare_at_end(TimePoint now);
  void name(workload::Run& run) const;
  void fill(workload::Run& run) const;
  void fill_measures(workload::Run& run) const;
  void fill_loads(MeasureMap& measures) const;

  const Scenario& scenario_;
  const PolicySpec& policy_;
  const RunOptions& options_;
  TimePoint end_;
  EventQueue events_;
  Strikes strikes_;
  Draws draws_;
  Cluster cluster_;
  Faults faults_;
  Health health_;
  Utilisation utilisation_;
  Rejoin rejoin_;
  Figures figures_;
  Scrapes scrapes_;
  Findings findings_;
  std::optional<Checks> checks_;
  Driver driver_;
  Traffic traffic_;
  std::optional<Request> next_;
  std::uint64_t requests_ = 0;
  std::uint64_t event_count_ = 0;
  TimePoint next_progress_;
  TimePoint next_restore_ = kNever;
};

World::World(const Scenario& scenario, const PolicySpec& policy, const RunOptions& options,
             const core::Options& core)
    : scenario_(scenario),
      policy_(policy),
      options_(options),
      end_(traffic_end(scenario) + scenario.drain),
      strikes_(scenario.nodes.size()),
      draws_(scenario, options.seed),
      cluster_(scenario, draws_, events_, strikes_, most_attempts(core) * kForgotten),
      faults_(scenario, cluster_, strikes_, events_),
      health_(scenario,
              policy.waits_at_replica ? Health::Watch::kBalancer : Health::Watch::kProbing,
              cluster_, draws_, strikes_, events_),
      utilisation_(scenario, cluster_, events_),
      rejoin_(scenario, cluster_, events_),
      figures_(scenario, options.on_ended),
      scrapes_(scenario, cluster_, strikes_, events_, uses_figures(core)),
      driver_(scenario, core, {options.seed, options.habits, options.noise}, cluster_, events_,
              figures_),
      traffic_(scenario, options.seed) {
  if (options.check) driver_.add_observer(checks_.emplace(scenario, core, findings_));
  for (Observer* observer : options.observers) driver_.add_observer(*observer);
  if (options.restores > 0) next_restore_ = TimePoint(restore_every());
}

Result World::run() {
  begin();
  TimePoint now{};
  while (true) {
    const TimePoint wakeup = std::max(driver_.next_wakeup(), now);
    const TimePoint at = events_.next_at();
    if (std::min(at, wakeup) > end_) break;
    now = std::min(at, wakeup);
    // Each event brings the core up to date anyway: a wake-up of the same instant is not needed.
    if (at <= wakeup) {
      step(events_.pop());
    } else {
      driver_.tick(now);
    }
    ++event_count_;
    if (now >= next_progress_) show_progress(now);
    if (now >= next_restore_) restore(now);
    if (findings_.count() > 0) break;
  }
  Result result;
  if (findings_.count() == 0) {
    compare_at_end(now);
    driver_.close(end_);
    fill(result.run);
  }
  name(result.run);
  result.violations = findings_.kept();
  result.requests = requests_;
  result.events = event_count_;
  result.simulated = now.time_since_epoch();
  result.senseless = driver_.senseless();
  return result;
}

void World::compare_at_end(TimePoint now) {
  const auto difference = difference_between(driver_.scheduler().counters(), driver_.ledger());
  if (!difference.empty()) findings_.add(now, "books", difference);
  if (figures_.tally.offered() + driver_.ledger().open_requests != requests_) {
    findings_.add(now, "books", "the figures count other requests than arrived");
  }
  if (!checks_) return;
  checks_->at_end({.now = now,
                   .core_now = now + faults_.clock_offset(),
                   .event = core::Tick{},
                   .actions = {},
                   .scheduler = driver_.scheduler(),
                   .cluster = cluster_,
                   .ledger = driver_.ledger()});
}

void World::begin() {
  for (std::size_t node = 0; node < scenario_.nodes.size(); ++node) {
    driver_.report(health_.first_report(node), TimePoint{});
  }
  schedule_arrival();
}

void World::schedule_arrival() {
  next_ = traffic_.next();
  if (next_) events_.push_in_line(kArrivals, {.at = next_->at, .kind = EventKind::kRequest});
}

void World::arrive() {
  const Request request = *next_;
  schedule_arrival();
  driver_.submit(request, requests_++);
}

void World::step(const Event& event) {
  switch (event.kind) {
    case EventKind::kRequest:
      return arrive();
    case EventKind::kCallerLeaves:
    case EventKind::kReachGateway:
    case EventKind::kOrderAnswered:
      return driver_.on(event);
    case EventKind::kReachNode:
    case EventKind::kServed:
    case EventKind::kCancelAtNode:
      return cluster_.on(event);
    case EventKind::kOrderAtNode:
    case EventKind::kLoadOver:
      return cluster_.on_order(event);
    case EventKind::kProbeSent:
    case EventKind::kProbeAnswered:
    case EventKind::kProbeMissed:
    case EventKind::kDeclare:
      if (const auto report = health_.on(event)) driver_.report(*report, event.at);
      return;
    case EventKind::kScraped:
    case EventKind::kFiguresArrive:
      if (const auto figures = scrapes_.on(event)) driver_.report(*figures, event.at);
      return;
    case EventKind::kFaultBegins:
    case EventKind::kFaultEnds:
    case EventKind::kFaultTurns:
      return look_at_faults(event);
    case EventKind::kPeriodEnds:
      return utilisation_.on(event);
    case EventKind::kLook:
      return rejoin_.on(event);
  }
}

void World::look_at_faults(const Event& event) {
  for (const std::size_t node : faults_.on(event)) health_.look_at(node, event.at);
  driver_.set_clock_offset(faults_.clock_offset());
}

void World::show_progress(TimePoint now) {
  next_progress_ = now + end_.time_since_epoch() / kProgressCalls;
  if (!options_.progress) return;
  options_.progress({.simulated = now.time_since_epoch(),
                     .whole = end_.time_since_epoch(),
                     .requests = requests_});
}

void World::restore(TimePoint now) {
  next_restore_ = now + restore_every();
  driver_.restore_scheduler();
}

void World::name(workload::Run& run) const {
  run.policy = policy_.name;
  run.seed = options_.seed;
  run.violations = findings_.count();
}

void World::fill(workload::Run& run) const {
  run.duration = traffic_end(scenario_);
  figures_.tally.fill(run);
  utilisation_.fill(run);
  for (std::size_t i = 0; i < scenario_.nodes.size(); ++i) {
    workload::ReplicaReport& replica = run.replicas[scenario_.nodes[i].name];
    replica.attempts = figures_.nodes[i].attempts;
    replica.failures = figures_.nodes[i].failures;
  }
  for (std::size_t kind = 0; kind < kFaultKindNames.size(); ++kind) {
    const std::uint64_t count = strikes_.count(static_cast<FaultKind>(kind));
    if (count > 0) run.faults[std::string(kFaultKindNames[kind])] = count;
  }
  run.memory_share = cluster_.memories().share(end_);
  fill_measures(run);
}

void World::fill_measures(workload::Run& run) const {
  figures_.measures.fill(run.measures);
  if (scenario_.measures.count("rejoin_s") > 0) run.measures["rejoin_s"] = rejoin_.seconds();
  utilisation_.fill_kinds(run.measures);
  const bool any_managed = std::any_of(scenario_.kinds.begin(), scenario_.kinds.end(),
                                       [](const NodeKind& kind) { return kind.managed; });
  if (any_managed) fill_loads(run.measures);
  if (figures_.tally.starvable() > 0) {
    run.measures["starved_waited_share"] = static_cast<double>(figures_.tally.waited_too_long()) /
                                           static_cast<double>(figures_.tally.starvable());
  }
}

void World::fill_loads(MeasureMap& measures) const {
  const Memories::Counts& counts = cluster_.memories().counts();
  measures["cold_starts"] = static_cast<double>(figures_.cold_starts);
  measures["loads"] = static_cast<double>(counts.loads);
  measures["loads_failed"] = static_cast<double>(counts.failed);
  measures["loads_without_room"] = static_cast<double>(counts.without_room);
  measures["unloads"] = static_cast<double>(counts.unloads);
}

}  // namespace

Result simulate(const Scenario& scenario, const PolicySpec& policy, const RunOptions& options) {
  return World(scenario, policy, options).run();
}

}  // namespace sluice::sim
