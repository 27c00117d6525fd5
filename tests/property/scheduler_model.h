// A tiny model of the scheduler: it knows what may happen, not what should. Every action is held
// against it, so that any sequence of events, however senseless, is a test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/scheduler.h"

namespace sluice::core {

// Throws when an action breaks a promise of the core; what() says which.
class SchedulerModel {
 public:
  explicit SchedulerModel(Options options) : options_(options), scheduler_(std::move(options)) {
    nodes_.resize(options_.nodes.size());
    turn_.resize(options_.models.size());
  }

  // --- events ----------------------------------------------------------------------------------
  void submit(const Labels& labels, TimePoint arrival) {
    const std::uint64_t request = requests_.size();
    Request entering;
    entering.labels = labels;
    entering.lane = lane_of(*labels.priority);
    entering.arrival = std::min(arrival, std::max(seen_, now_));
    entering.deadline = entering.arrival + std::max(*labels.budget, Duration::zero());
    entering.entered = std::max(seen_, now_);
    entering.flow = flow_of(labels.model, entering.lane, *labels.priority);
    requests_.push_back(entering);
    tell(Submitted{.request = RequestId{request}, .labels = labels, .arrival = arrival});
    expect(requests_[request].state != State::kNew, "a submitted request is answered at once");
  }
  void cancel(TaskId task) {
    for (Request& request : requests_) request.cancelling = request.task == task;
    tell(Cancelled{task});
    for (Request& request : requests_) {
      expect(!request.cancelling || request.state == State::kEnded,
             "a cancelled task ends at once");
      request.cancelling = false;
    }
  }
  void finish(AttemptId attempt, AttemptResult result) {
    ended(attempt);
    tell(AttemptFinished{attempt, result});
  }
  void lose(AttemptId attempt) {
    ended(attempt);
    tell(AttemptLost{attempt});
  }
  void answer(AttemptId attempt) { tell(AnswerStarted{attempt}); }
  void report(NodeReport report) {
    if (report.node.value < nodes_.size()) {
      nodes_[report.node.value].ready = report.ready;
      if (!report.ready) forget_all(report.node);
    }
    tell(report);
  }
  // An order to load or to unload is answered; or one that nobody has given.
  void answer_order(std::size_t which, bool ok) {
    if (orders_.empty()) {
      tell(ModelLoaded{.node = NodeId{9}, .model = ModelId{0}, .ok = ok});
      return;
    }
    const Order order = orders_[which % orders_.size()];
    forget_order(order);
    if (order.load) {
      if (ok) nodes_[order.node.value].loaded.insert(order.model);
      tell(ModelLoaded{.node = order.node, .model = order.model, .ok = ok});
    } else {
      if (!ok && order.was_loaded) nodes_[order.node.value].loaded.insert(order.model);
      tell(ModelUnloaded{.node = order.node, .model = order.model, .ok = ok});
    }
  }
  void report(const NodeFiguresReport& report) { tell(report); }
  void tick() { tell(Tick{}); }
  // Backwards, too.
  void move_time(Duration by) { now_ += by; }

  // Whatever runs is answered, and time goes on until nothing waits.
  void drain() {
    now_ = std::max(now_, seen_);
    while (!attempts_.empty() || scheduler_.counters().waiting > 0) {
      if (!attempts_.empty()) {
        finish(attempts_.begin()->second.id, AttemptResult::kAnswered);
      } else {
        now_ = std::max(now_, scheduler_.next_wakeup());
        tick();
      }
    }
    while (!orders_.empty()) answer_order(0, true);
  }

  // --- what there is ---------------------------------------------------------------------------
  std::size_t request_count() const { return requests_.size(); }
  TaskId task(std::size_t request) const { return requests_[request].task; }
  // Not ended, abandoned ones too; in the order of their ids.
  std::vector<AttemptId> live_attempts() const {
    std::vector<AttemptId> all;
    for (const auto& [packed, attempt] : attempts_) all.push_back(attempt.id);
    return all;
  }
  const std::vector<AttemptId>& dead_attempts() const { return dead_attempts_; }
  bool all_ended() const {
    return std::all_of(requests_.begin(), requests_.end(),
                       [](const Request& r) { return r.state == State::kEnded; });
  }
  TimePoint now() const { return now_; }
  const Scheduler& scheduler() const { return scheduler_; }
  // Every action with all of its fields, a line each.
  const std::string& log() const { return log_; }

 private:
  enum class State { kNew, kQueued, kRunning, kEnded };
  struct Request {
    Labels labels;
    State state = State::kNew;
    Lane lane = Lane::kLow;
    TimePoint arrival;
    TimePoint deadline;
    TimePoint entered;
    std::vector<std::uint32_t> flow;
    TaskId task;
    AttemptId attempt;
    AttemptId other;  // of two that run
    NodeId node;
    bool hedged = false;
    bool cancelling = false;
    bool again = false;  // behind others of equal rank
    std::uint32_t preemptions = 0;
    bool has(AttemptId one) const { return one.valid() && (one == attempt || one == other); }
    bool waits() const { return state == State::kNew || state == State::kQueued; }
  };
  struct RunningAttempt {
    AttemptId id;
    NodeId node;
  };
  struct NodeModel {
    bool ready = false;
    std::uint32_t in_flight = 0;
    std::set<ModelId> loaded;  // where it is managed
  };
  struct Order {
    NodeId node;
    ModelId model;
    bool load;
    bool was_loaded = false;  // to be unloaded: before that
  };

  static void expect(bool holds, const char* promise) {
    if (!holds) throw std::logic_error(promise);
  }
  bool early() const { return options_.policy.binding == Binding::kEarlyRoundRobin; }

  std::vector<std::uint32_t> hosts(ModelId model) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t n = 0; n < options_.nodes.size(); ++n) {
      const auto& models = options_.nodes[n].models;
      if (std::find(models.begin(), models.end(), model) != models.end()) found.push_back(n);
    }
    return found;
  }
  std::vector<std::uint32_t> candidates(ModelId model, Priority priority) const {
    std::vector<std::uint32_t> found = hosts(model);
    std::erase_if(found, [&](std::uint32_t node) {
      return !options_.nodes[node].accepted().contains(priority);
    });
    return found;
  }

  // The lane, and the nodes that tasks of the flow may run on.
  std::vector<std::uint32_t> flow_of(ModelId model, Lane lane, Priority priority) {
    std::vector<std::uint32_t> flow = candidates(model, priority);
    if (early() && !flow.empty()) flow = {next_in_turn(model, priority)};
    flow.insert(flow.begin(), static_cast<std::uint32_t>(lane));
    return flow;
  }
  // The turn goes round all nodes that have the model, whatever they accept.
  std::uint32_t next_in_turn(ModelId model, Priority priority) {
    const std::vector<std::uint32_t> nodes = hosts(model);
    std::size_t& turn = turn_[model.value];
    // The ready ones, standbys last; or any.
    for (const int round : {0, 1, 2}) {
      for (std::size_t tried = 0; tried < nodes.size(); ++tried) {
        const std::uint32_t node = nodes[turn++ % nodes.size()];
        if (!options_.nodes[node].accepted().contains(priority)) continue;
        const bool ready = nodes_[node].ready && (round == 1 || !options_.nodes[node].standby);
        if (ready || round == 2) return node;
      }
    }
    throw std::logic_error("no candidate");
  }

  // With the weights of expected service and drops at zero, the rank is no secret.
  std::pair<std::int64_t, std::uint64_t> rank(std::uint64_t number) const {
    const Request& request = requests_[number];
    const std::int64_t arrival = request.arrival.time_since_epoch().count();
    const std::int64_t priority = *request.labels.priority;
    switch (options_.policy.ordering) {
      case Ordering::kScore:
        return {arrival + priority * options_.score.per_priority.count(), number};
      case Ordering::kArrival:
      case Ordering::kShortest:
        return {arrival, number};
      case Ordering::kPriority:
        return {(priority << 59) + arrival, number};
      case Ordering::kDeadline:
        return {request.deadline.time_since_epoch().count(), number};
      case Ordering::kSlack:
        break;
    }
    return {};
  }

  void ended(AttemptId attempt) {
    const auto found = attempts_.find(attempt.packed());
    if (found == attempts_.end()) return;
    --nodes_[found->second.node.value].in_flight;
    attempts_.erase(found);
    dead_attempts_.push_back(attempt);
  }

  void tell(const Event& event) {
    seen_ = std::max(seen_, now_);
    ActionBuffer actions;
    scheduler_.handle(event, now_, actions);
    scheduler_.check_invariants();
    for (const Action& action : actions) {
      std::visit([this](const auto& a) { hold(a); }, action);
    }
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      expect(scheduler_.node({n}).in_flight == nodes_[n].in_flight, "credits are counted");
    }
    hold_no_idling();
  }

  bool has_loaded(NodeId node, ModelId model) const {
    return !options_.nodes[node.value].managed || nodes_[node.value].loaded.contains(model);
  }
  void forget_order(const Order& order) {
    std::erase_if(orders_,
                  [&](const Order& o) { return o.node == order.node && o.model == order.model; });
  }
  void forget_all(NodeId node) {
    nodes_[node.value].loaded.clear();
    std::erase_if(orders_, [&](const Order& o) { return o.node == node; });
  }

  Request& of(RequestId request) {
    const auto number = static_cast<std::uint64_t>(request);
    expect(number < requests_.size(), "actions name requests that there are");
    return requests_[number];
  }

  void hold(const Queued& queued) {
    Request& request = of(queued.request);
    expect(request.state == State::kNew, "a request is queued once, and before anything else");
    expect(request.labels.may_queue, "run now or refuse: never queued");
    request.state = State::kQueued;
    request.task = queued.task;
    write("queued", queued.request, queued.task.packed());
  }

  void hold(const Dispatch& dispatch) {
    Request& request = of(dispatch.request);
    const bool is_hedge = request.state == State::kRunning;
    if (is_hedge) hold_hedge(request, dispatch);
    expect(is_hedge || request.waits(), "only what waits is dispatched, and once");
    NodeModel& node = nodes_.at(dispatch.node.value);
    expect(node.ready, "no dispatch to a node that is down");
    expect(has_loaded(dispatch.node, dispatch.model),
           "no dispatch to a replica that is not loaded");
    ++node.in_flight;
    expect(node.in_flight <= scheduler_.node(dispatch.node).credits, "no dispatch without credit");
    expect(std::count(request.flow.begin() + 1, request.flow.end(), dispatch.node.value) == 1,
           "a dispatch goes to a node that has the model, and that it was bound to");
    if (options_.policy.reclaim == Reclaim::kAtDeadline) {
      expect(seen_ < request.deadline, "no dispatch after the deadline");
    }
    if (!is_hedge) hold_first_of_flow(static_cast<std::uint64_t>(dispatch.request));
    expect(
        attempts_
            .try_emplace(dispatch.attempt.packed(), RunningAttempt{dispatch.attempt, dispatch.node})
            .second,
        "no two attempts share an id");
    request.state = State::kRunning;
    request.task = dispatch.task;
    request.other = is_hedge ? request.attempt : AttemptId{};
    request.attempt = dispatch.attempt;
    request.node = dispatch.node;
    write("dispatch", dispatch.request, dispatch.task.packed(), dispatch.attempt.packed(),
          dispatch.node.value, dispatch.model.value, static_cast<int>(dispatch.lane),
          static_cast<int>(dispatch.priority), dispatch.deadline.time_since_epoch().count());
  }

  void hold_hedge(Request& request, const Dispatch& dispatch) const {
    expect(options_.models[request.labels.model.value].hedge && request.labels.retriable,
           "only what may run twice, and asks for it, is hedged");
    expect(!request.hedged, "a task is hedged once");
    expect(dispatch.node != request.node, "a hedge is on another node");
    request.hedged = true;
  }
  bool runs(AttemptId attempt) const { return attempts_.contains(attempt.packed()); }

  void hold_first_of_flow(std::uint64_t number) const {
    // What a task was expected to take on its arrival, only the core knows.
    if (options_.policy.ordering == Ordering::kSlack) return;
    for (std::uint64_t other = 0; other < requests_.size(); ++other) {
      const bool tie = requests_[number].again || requests_[other].again;
      expect(other == number || !requests_[other].waits() || !same_flow(number, other) ||
                 rank(number) < rank(other) || (tie && rank(number).first == rank(other).first),
             "nothing is dispatched before a task of smaller rank of its flow");
    }
  }

  bool any_managed() const {
    return std::any_of(options_.nodes.begin(), options_.nodes.end(),
                       [](const NodeOptions& node) { return node.managed; });
  }
  // Whether one order holds for both: tenants have their own where they are treated fairly, models
  // where the head of one may choose to wait, or may have to.
  bool same_flow(std::uint64_t a, std::uint64_t b) const {
    const Labels& one = requests_[a].labels;
    const Labels& other = requests_[b].labels;
    return requests_[a].flow == requests_[b].flow &&
           (options_.policy.fairness == Fairness::kNone || one.tenant == other.tenant) &&
           (one.model == other.model ||
            (options_.policy.admission == Admission::kCapacityOnly && !any_managed()));
  }

  void hold(const Requeued& requeued) {
    Request& request = of(requeued.request);
    expect(request.state == State::kRunning, "only what runs is tried again");
    expect(request.labels.retriable, "only what may run twice is tried again");
    expect(request.has(requeued.attempt), "a requeue names the attempt that it follows");
    if (requeued.cause == Reason::kNone) {
      hold_preemption(request, requeued);
    } else {
      expect(!runs(request.attempt) && !runs(request.other),
             "what is tried again has just come to nothing");
    }
    request.state = State::kQueued;
    request.again = true;
    // Where it may run is not changed by its having been promoted.
    if (early())
      request.flow = flow_of(request.labels.model, request.lane, *request.labels.priority);
    write("requeue", requeued.request, to_string(requeued.cause), requeued.node.value);
  }

  void hold_preemption(Request& victim, const Requeued& requeued) const {
    const NodeOptions& node = options_.nodes[requeued.node.value];
    expect(victim.lane == Lane::kLow, "only the low lane loses slots");
    expect(node.cancel == CancelMode::kStops, "only what can be stopped loses its slot");
    expect(++victim.preemptions <= options_.preemption.most, "a task loses its slot so often");
  }

  void hold(const Promoted& promoted) {
    Request& request = of(promoted.request);
    expect(request.state == State::kQueued && request.lane == Lane::kLow,
           "only what waits in the low lane is promoted");
    expect(promoted.waited > options_.promotion.after, "nothing is promoted before its time");
    request.lane = lane_of(promoted.to);
    request.labels.priority = promoted.to;
    request.flow[0] = static_cast<std::uint32_t>(request.lane);
    request.again = true;
    write("promote", promoted.request, static_cast<int>(promoted.to));
  }
  void hold(const RuleAnswer& answer) {
    write("rules", RequestId{}, to_string(answer.result.error));
  }

  void hold(const LoadModel& load) {
    expect(options_.nodes[load.node.value].managed && nodes_[load.node.value].ready,
           "only nodes that are ready and managed are told to load");
    for (const Order& o : orders_) {
      expect(!o.load || o.model != load.model, "a model has one load at a time");
    }
    orders_.push_back({load.node, load.model, true});
    write("load", RequestId{}, load.node.value, load.model.value);
  }
  void hold(const UnloadModel& unload) {
    expect(nodes_[unload.node.value].ready, "only nodes that are ready are told to unload");
    const auto asked_again = std::find_if(orders_.begin(), orders_.end(), [&](const Order& o) {
      return !o.load && o.node == unload.node && o.model == unload.model;
    });
    const bool was_loaded = nodes_[unload.node.value].loaded.erase(unload.model) > 0 ||
                            (asked_again != orders_.end() && asked_again->was_loaded);
    const Order order{unload.node, unload.model, false, was_loaded};
    forget_order(order);
    orders_.push_back(order);
    write("unload", RequestId{}, unload.node.value, unload.model.value);
  }

  // What the control loop changes, it changes the same way each time.
  void hold(const Adjusted& adjusted) { write("adjust", RequestId{}, adjusted.change.index()); }

  void hold(const Finish& finish) {
    Request& request = of(finish.request);
    expect(request.state != State::kEnded, "a request ends once");
    hold_outcome(request, finish);
    request.state = State::kEnded;
    request.task = finish.task;
    write("finish", finish.request, finish.task.packed(), to_string(finish.outcome),
          to_string(finish.reason), static_cast<int>(finish.lane),
          static_cast<int>(finish.priority), finish.model.value, finish.tenant.value,
          finish.node.value, finish.arrival.time_since_epoch().count(),
          finish.deadline.time_since_epoch().count(), finish.waited.count(), finish.service.count(),
          finish.retry_after.count());
  }

  void hold_outcome(const Request& request, const Finish& finish) const {
    const bool ran = request.state == State::kRunning;
    expect(finish.waited >= Duration::zero() && finish.service >= Duration::zero(),
           "spans of time are not negative");
    expect(!ran || finish.node.valid(), "a finish names the node where the task ran");
    expect(ran ? request.has(finish.attempt) : !finish.attempt.valid(),
           "a finish names the attempt that ran, or one of two");
    switch (finish.outcome) {
      case Outcome::kCompleted:
      case Outcome::kFailed:
        expect(ran && (!runs(request.attempt) || (request.hedged && !runs(request.other))),
               "an attempt's end is its task's");
        break;
      case Outcome::kRefused:
        expect(request.state == State::kNew, "only what comes is refused");
        expect((finish.reason == Reason::kNotAccepted) == (finish.retry_after == Duration::zero()),
               "a refusal says when to come again, unless that helps nobody");
        expect((finish.reason == Reason::kNotAccepted) ==
                   (candidates(request.labels.model, *request.labels.priority).empty() &&
                    !hosts(request.labels.model).empty()),
               "nobody is refused for a priority that some node takes");
        break;
      case Outcome::kExpired:
        expect(!ran, "only what waits expires");
        hold_expiry(request, finish.reason);
        break;
      case Outcome::kCancelled:
        expect(request.cancelling, "only what is cancelled is cancelled");
        break;
    }
  }

  void hold_expiry(const Request& request, Reason reason) const {
    const Duration max_age = options_.lanes[static_cast<std::size_t>(request.lane)].max_age;
    expect(reason != Reason::kDeadlinePassed || seen_ >= request.deadline,
           "a deadline has passed when it has");
    expect(reason != Reason::kQueueTimeout || seen_ >= request.entered + max_age,
           "nothing leaves its lane before the maximum age");
    expect(
        reason != Reason::kShed ||
            options_.lanes[static_cast<std::size_t>(request.lane)].saturation == Saturation::kShed,
        "only lanes that shed shed");
    expect(reason != Reason::kDeadlineUnreachable ||
               options_.policy.admission == Admission::kPredictive,
           "nobody is condemned where nothing is predicted");
  }

  void hold(const CancelAttempt& cancel) {
    const auto found = attempts_.find(cancel.attempt.packed());
    expect(found != attempts_.end() && found->second.node == cancel.node,
           "only attempts that run are stopped");
    write("stop", RequestId{}, cancel.attempt.packed(), cancel.node.value);
  }

  bool stands_by(const std::vector<std::uint32_t>& flow, std::uint32_t node) const {
    return options_.nodes[node].standby &&
           std::any_of(flow.begin() + 1, flow.end(), [&](std::uint32_t other) {
             return nodes_[other].ready && !options_.nodes[other].standby;
           });
  }

  // Where nothing is predicted, nothing waits beside a credit that it could use.
  void hold_no_idling() const {
    const bool predicts = options_.policy.admission == Admission::kPredictive &&
                          options_.predictor.min_samples < 1'000;
    // Breakers, reserves and caps leave credits free on purpose, and so does a least score.
    const bool may_wait =
        options_.policy.control == Control::kAdaptive || options_.placement.least_score > 0;
    if (predicts || may_wait || scheduler_.next_wakeup() <= seen_) return;
    for (const Request& request : requests_) {
      if (!request.waits()) continue;
      for (std::size_t i = 1; i < request.flow.size(); ++i) {
        const NodeView node = scheduler_.node({request.flow[i]});
        if (!has_loaded({request.flow[i]}, request.labels.model)) continue;
        if (stands_by(request.flow, request.flow[i])) continue;
        expect(!node.ready || node.in_flight >= node.credits, "no task waits beside a free credit");
      }
    }
  }

  template <class... Fields>
  void write(const char* what, RequestId request, const Fields&... fields) {
    log_.append(what).append(" ").append(std::to_string(static_cast<std::uint64_t>(request)));
    (log_.append(" ").append(text(fields)), ...);
    log_ += "\n";
  }
  static std::string text(std::string_view word) { return std::string(word); }
  template <class Number>
  static std::string text(Number number) requires std::is_arithmetic_v<Number> {
    return std::to_string(number);
  }

  Options options_;
  Scheduler scheduler_;
  TimePoint now_{std::chrono::seconds(1)};
  TimePoint seen_;  // the latest that the scheduler was told
  std::vector<Request> requests_;
  std::map<std::uint64_t, RunningAttempt> attempts_;
  std::vector<AttemptId> dead_attempts_;
  std::vector<NodeModel> nodes_;
  std::vector<Order> orders_;  // not answered yet
  std::vector<std::size_t> turn_;
  std::string log_;
};

}  // namespace sluice::core
