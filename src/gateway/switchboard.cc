#include "gateway/switchboard.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "gateway/caller.h"
#include "gateway/replica.h"
#include "gateway/replica_connection.h"
#include "telemetry/adjustment_text.h"

namespace sluice::gateway {

Switchboard::Switchboard(Context& context)
    : context_(context),
      scheduler_(context.config.core),
      metrics_(scheduler_),
      orders_(context.io, context.config, [this](const core::Event& event) { post(event); }) {
  const auto& replicas = context.config.replicas;
  SLUICE_CHECK(replicas.size() == context.config.core.nodes.size(), "every node has an address");
  for (std::uint32_t n = 0; n < replicas.size(); ++n) {
    replicas_.push_back(std::make_unique<Replica>(*this, core::NodeId{n}));
  }
}

Switchboard::~Switchboard() = default;

core::RequestId Switchboard::submit(std::shared_ptr<Caller> caller, const core::Labels& labels,
                                    TimePoint arrival) {
  std::size_t place = exchanges_.size();
  if (free_exchanges_.empty()) {
    exchanges_.emplace_back();
  } else {
    place = free_exchanges_.back();
    free_exchanges_.pop_back();
  }
  exchanges_[place] = Exchange{.caller = std::move(caller)};
  const core::RequestId request{place};
  post(core::Submitted{.request = request, .labels = labels, .arrival = arrival});
  return request;
}

void Switchboard::cancel(core::RequestId request) {
  Exchange& e = exchange(request);
  e.cancelled = true;
  if (e.task.valid()) post(core::Cancelled{.task = e.task});
}

void Switchboard::report(core::NodeReport report, const std::vector<std::string>* loaded) {
  if (loaded != nullptr && report.ready) {
    std::vector<core::ModelId>& models = found_.emplace_back();
    for (const std::string& name : *loaded) {
      if (const auto model = context_.directory.model(name)) models.push_back(*model);
    }
    std::sort(models.begin(), models.end());
    report.loaded = models;
  }
  post(report);
}

void Switchboard::attempt_runs_on(core::AttemptId attempt, ReplicaConnection* connection) {
  if (attempt.slot >= connection_of_attempt_.size()) {
    connection_of_attempt_.resize(attempt.slot + 1);
  }
  connection_of_attempt_[attempt.slot] = connection;
}

void Switchboard::attempt_is_over(core::AttemptId attempt, const ReplicaConnection* connection) {
  // The core may have given the slot to the next attempt already.
  ReplicaConnection*& place = connection_of_attempt_[attempt.slot];
  if (place == connection) place = nullptr;
}

ReplicaConnection* Switchboard::holder_of(core::AttemptId attempt) const {
  if (!attempt.valid() || attempt.slot >= connection_of_attempt_.size()) return nullptr;
  ReplicaConnection* connection = connection_of_attempt_[attempt.slot];
  return connection != nullptr && connection->holds_answer(attempt) ? connection : nullptr;
}

void Switchboard::flush() {
  while (!batch_.empty()) {
    working_.swap(batch_);
    heard_.swap(held_);
    for (const core::Event& event : working_) {
      scheduler_.handle(event, context_.clock.now(), actions_);
    }
    working_.clear();
    // Carrying out an action may post events; they wait for the next round.
    carrying_out_.swap(actions_);
    for (const core::Action& action : carrying_out_) {
      std::visit([this](const auto& a) { carry_out(a); }, action);
    }
    carrying_out_.clear();
    for (const HeldAnswer& heard : heard_) heard.connection->settle(heard.attempt);
    heard_.clear();
  }
  found_.clear();
}

void Switchboard::named(Exchange& e, core::TaskId task) {
  if (e.task.valid()) return;
  e.task = task;
  if (e.cancelled) post(core::Cancelled{.task = task});
}

void Switchboard::carry_out(const core::Queued& queued) {
  named(exchange(queued.request), queued.task);
}

void Switchboard::carry_out(const core::Dispatch& dispatch) {
  Exchange& e = exchange(dispatch.request);
  named(e, dispatch.task);
  replicas_[dispatch.node.value]->run(dispatch, e.caller);
}

void Switchboard::carry_out(const core::Finish& finish) {
  metrics_.on_finish(finish, context_.clock.now());
  const std::shared_ptr<Caller> caller = std::move(exchange(finish.request).caller);
  caller->on_finish(finish, holder_of(finish.attempt));
  // Not before: once it has its answer the caller may submit the next request, which must not have
  // the same id while this one is dealt with.
  exchange(finish.request) = Exchange{};
  free_exchanges_.push_back(static_cast<std::size_t>(finish.request));
}

// The caller keeps its request; what the attempt has brought is nobody's.
void Switchboard::carry_out(const core::Requeued& requeued) {
  metrics_.on_requeued(requeued);
  if (ReplicaConnection* holder = holder_of(requeued.attempt)) holder->drop_answer();
}

void Switchboard::carry_out(const core::CancelAttempt& cancel) {
  // The attempt may have ended in this very turn: then its end is in the batch already.
  if (ReplicaConnection* connection = connection_of_attempt_[cancel.attempt.slot]) {
    connection->abandon(cancel.attempt);
  }
}

void Switchboard::carry_out(const core::Adjusted& adjusted) {
  metrics_.on_adjusted(adjusted);
  spdlog::info("{}", telemetry::describe(adjusted, context_.config.core));
}

bool Switchboard::any_replica_ready() const {
  for (std::uint32_t n = 0; n < replicas_.size(); ++n) {
    if (scheduler_.node(core::NodeId{n}).ready) return true;
  }
  return false;
}

void Switchboard::close_idle() {
  for (const auto& replica : replicas_) replica->close_idle();
}

}  // namespace sluice::gateway
