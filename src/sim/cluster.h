// The nodes and the ways to them: what happens to an attempt between its dispatch and its answer.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "sim/condition.h"
#include "sim/draws.h"
#include "sim/event_queue.h"
#include "sim/job.h"
#include "sim/memories.h"
#include "sim/node_queue.h"
#include "sim/scenario.h"
#include "sim/strikes.h"

namespace sluice::sim {

// Figures of a node for whoever watches.
struct ClusterNodeView {
  std::uint32_t slots = 0;
  std::uint32_t busy = 0;
  std::uint32_t waiting = 0;
  std::uint64_t arrived = 0;  // attempts that the node took in, since the start
  Duration busy_time{0};      // slot time in use, since the start
};

// Everything here happens at a node: each message is delayed by its way, and a fault is looked up
// when the message meets the node. Whatever it leads to goes into the queue of events; the gateway
// hears by EventKind::kReachGateway.
//
// A model that is not in the memory of its node answers with an error.
//
// A slot runs one execution to its end, unless nobody waits for it any more and its kind of node
// stops then. An attempt that finds no free slot waits as NodeQueues says or is turned away
// (kBusy).
class Cluster {
 public:
  // All must outlive this. `capacity` bounds the attempts that exist at one time.
  Cluster(const Scenario& scenario, const Draws& draws, EventQueue& events, Strikes& strikes,
          std::uint32_t capacity);

  JobTable& jobs() { return jobs_; }
  const JobTable& jobs() const { return jobs_; }

  // The attempt leaves the gateway for its node.
  void send(JobId job, TimePoint now);
  // Word that nobody waits for it leaves the gateway.
  void send_cancel(JobId job, TimePoint now);
  // The core has been told how the attempt ended, and nobody asks for it again.
  void forget(JobId job);

  // kReachNode, kServed, kCancelAtNode. Ids of jobs that are no more are ignored.
  void on(const Event& event);

  // Orders to load and to unload go there, and their events come from there.
  Memories& memories() { return memories_; }
  const Memories& memories() const { return memories_; }
  // kOrderAtNode, kLoadOver.
  void on_order(const Event& event) {
    memories_.on(event, nodes_[memories_.node_of(event)].condition);
  }
  // The model's place among the models of the node, which must have it.
  std::size_t place_of(std::size_t model, std::size_t node) const;

  const Condition& condition(std::size_t node) const { return nodes_[node].condition; }
  // A fault begins or ends.
  void set_condition(std::size_t node, const Condition& condition, TimePoint now);

  std::size_t node_count() const { return nodes_.size(); }
  // busy_time counts up to now.
  ClusterNodeView view(std::size_t node, TimePoint now) const;

 private:
  struct Node {
    Node(JobTable& jobs, const sim::Node& at, const NodeKind& of)
        : queue(jobs, at.models.size()), kind(at.kind), path(of.path), slots(of.slots) {}

    NodeQueue queue;
    Condition condition;
    std::vector<std::uint32_t> running;  // slots of the table
    std::vector<Event> held;             // what came while it was frozen
    std::size_t kind;
    std::size_t path;
    std::uint32_t slots;
    std::uint64_t arrived = 0;
    Duration busy_time{0};
    TimePoint counted_until;
  };

  void reach(std::uint32_t slot, TimePoint now);
  void take_in(std::uint32_t slot, TimePoint now);
  void start(std::uint32_t slot, TimePoint now);
  void served(std::uint32_t slot, TimePoint at);
  void cancel(std::uint32_t slot, TimePoint now);
  void stop_running(Node& node, std::uint32_t slot, TimePoint now);
  void fill_slots(Node& node, TimePoint now);
  // The node answers.
  void answer(std::uint32_t slot, core::AttemptResult result, TimePoint now);
  void lose(std::uint32_t slot);
  // Everything at the node is gone; loudly: connections break, and the gateway notices.
  void crash(Node& node, bool loudly, TimePoint now);
  void freeze(Node& node, TimePoint now);
  void thaw(Node& node, TimePoint now);
  void count_busy(Node& node, TimePoint now);
  bool can_hear(std::uint32_t node);
  Event event_for(std::uint32_t slot, EventKind kind, TimePoint at) const;

  const Scenario& scenario_;
  const Draws& draws_;
  EventQueue& events_;
  Strikes& strikes_;
  JobTable jobs_;
  Memories memories_;
  std::vector<Node> nodes_;
};

}  // namespace sluice::sim
