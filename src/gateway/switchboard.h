// Between the connections and the core: events go in by batches, actions come out and are carried
// out. Everything else in the gateway is sockets.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduler.h"
#include "gateway/context.h"
#include "gateway/model_orders.h"
#include "telemetry/metrics.h"

namespace sluice::gateway {

class Caller;
class Replica;
class ReplicaConnection;

class Switchboard {
 public:
  explicit Switchboard(Context& context);
  ~Switchboard();
  Switchboard(const Switchboard&) = delete;
  Switchboard& operator=(const Switchboard&) = delete;

  // --- for callers -----------------------------------------------------------------------------
  // A whole request. The caller is kept until the core has said how the task ends.
  core::RequestId submit(std::shared_ptr<Caller> caller, const core::Labels& labels,
                         TimePoint arrival);
  // The caller of the request has gone.
  void cancel(core::RequestId request);

  // --- for replica connections and the probe ---------------------------------------------------
  void post(const core::Event& event) { batch_.push_back(event); }
  // What a check has found, and of a replica whose models come and go the names of those that it
  // has loaded, if it has told them.
  void report(core::NodeReport report, const std::vector<std::string>* loaded);
  // Whom actions about the attempt are for, until it is over.
  void attempt_runs_on(core::AttemptId attempt, ReplicaConnection* connection);
  void attempt_is_over(core::AttemptId attempt, const ReplicaConnection* connection);
  // An answer has come, and the core hears of it with the events that have been posted. What it
  // then does says whether the answer is the caller's; where it says nothing, settle() is called in
  // the end of that round.
  void hold(std::shared_ptr<ReplicaConnection> connection, core::AttemptId attempt) {
    held_.push_back({std::move(connection), attempt});
  }

  // Hands the batch to the core and carries out what follows, until nothing is left. Once a turn of
  // the event loop, never from inside a handler: the core is not re-entered.
  void flush();

  Context& context() { return context_; }
  const core::Scheduler& scheduler() const { return scheduler_; }
  const telemetry::Metrics& metrics() const { return metrics_; }
  bool any_replica_ready() const;
  // Closes the idle connections to replicas.
  void close_idle();
  // Gives up loads and unloads that are under way.
  void stop_orders() { orders_.stop(); }

 private:
  // A request whose task has not ended. The core's RequestId is its place in the table.
  struct Exchange {
    std::shared_ptr<Caller> caller;
    core::TaskId task;
    bool cancelled = false;  // before the core had named the task
  };
  struct HeldAnswer {
    std::shared_ptr<ReplicaConnection> connection;
    core::AttemptId attempt;
  };

  void carry_out(const core::Queued& queued);
  void carry_out(const core::Dispatch& dispatch);
  void carry_out(const core::Requeued& requeued);
  // It waits in another lane; the figures of the lanes tell.
  void carry_out(const core::Promoted&) {}
  void carry_out(const core::Finish& finish);
  void carry_out(const core::CancelAttempt& cancel);
  // Nobody asks for a change of the rules yet.
  void carry_out(const core::RuleAnswer&) {}
  void carry_out(const core::AdmissionRecord&) {}
  void carry_out(const core::PlacementRecord&) {}
  void carry_out(const core::Adjusted& adjusted);
  void carry_out(const core::LoadModel& load) { orders_.load(load.node, load.model); }
  void carry_out(const core::UnloadModel& unload) { orders_.unload(unload.node, unload.model); }
  Exchange& exchange(core::RequestId request) {
    return exchanges_[static_cast<std::size_t>(request)];
  }
  void named(Exchange& exchange, core::TaskId task);
  // Who has an answer to the attempt, and waits for what the core says to it.
  ReplicaConnection* holder_of(core::AttemptId attempt) const;

  Context& context_;
  core::Scheduler scheduler_;
  telemetry::Metrics metrics_;
  ModelOrders orders_;
  std::vector<core::Event> batch_;
  // Models that reports in the batch speak of; until the batch is done.
  std::deque<std::vector<core::ModelId>> found_;
  std::vector<core::Event> working_;
  // Answers of which the core hears with batch_, and with working_.
  std::vector<HeldAnswer> held_;
  std::vector<HeldAnswer> heard_;
  core::ActionBuffer actions_;
  core::ActionBuffer carrying_out_;
  std::vector<Exchange> exchanges_;
  std::vector<std::size_t> free_exchanges_;
  std::vector<std::unique_ptr<Replica>> replicas_;         // by node
  std::vector<ReplicaConnection*> connection_of_attempt_;  // by attempt slot
};

}  // namespace sluice::gateway
