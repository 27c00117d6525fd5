// What is in the memory of nodes whose models come and go, and the loads under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/event.h"
#include "sim/condition.h"
#include "sim/draws.h"
#include "sim/event_queue.h"
#include "sim/scenario.h"

namespace sluice::sim {

// An order to load or to unload travels to its node, is carried out there, and its answer travels
// back. A load takes a time drawn around the model's, times the slowness of the node, and fails
// with the model's share; one for which there is no room fails at once, as does one at a node that
// crashes meanwhile. A node that has crashed comes back empty. Nodes that are not managed have all
// of their models always.
class Memories {
 public:
  // All must outlive this.
  Memories(const Scenario& scenario, const Draws& draws, EventQueue& events);

  // By the model's place among the models of the node.
  bool has(std::size_t node, std::size_t place) const;
  // Replaces `models` by those that the node has, ascending.
  void list(std::size_t node, std::vector<core::ModelId>& models) const;
  double used_bytes(std::size_t node) const { return nodes_[node].used; }

  // An order leaves the gateway.
  void send(std::size_t node, std::size_t place, bool load, TimePoint now);
  // kOrderAtNode, kLoadOver; the condition is that of the event's node.
  void on(const Event& event, const Condition& condition);
  std::size_t node_of(const Event& event) const { return replicas_[event.subject].node; }
  // Everything at the node is gone; loudly: its loads are answered, by the end of the connection.
  void crash(std::size_t node, bool loudly, TimePoint now);

  // kOrderAnswered: what the gateway is told.
  struct Answer {
    core::NodeId node;
    core::ModelId model;
    bool load = true;
    bool ok = true;
  };
  Answer answered(const Event& event) const;

  struct Counts {
    std::uint64_t loads = 0;  // begun
    std::uint64_t failed = 0;
    std::uint64_t without_room = 0;
    std::uint64_t unloads = 0;
  };
  const Counts& counts() const { return counts_; }
  // Used ÷ memory of the node now, where its memory is told.
  std::optional<double> share(std::size_t node) const;
  // Mean over time, until now, and over the nodes whose memory is told: used ÷ memory.
  std::optional<double> share(TimePoint now) const;

 private:
  enum class State : std::uint8_t { kOut, kComing, kIn };
  struct Replica {
    std::size_t node = 0;
    std::size_t place = 0;
    State state = State::kOut;
    std::uint32_t orders = 0;  // counts them: a load that was overtaken is void
  };
  struct Node {
    std::size_t first = 0;  // replica
    std::size_t count = 0;
    bool managed = false;
    double memory = 0;  // 0: not told
    double used = 0;
    double byte_seconds = 0;
    TimePoint counted_until;
  };

  void arrive(const Event& event, const Condition& condition);
  void begin_load(std::uint32_t replica, const Condition& condition, TimePoint now);
  void end_load(const Event& event, const Condition& condition);
  void set(std::uint32_t replica, State to, TimePoint now);
  void answer(std::uint32_t replica, bool load, bool ok, TimePoint now);
  const Model& model_of(const Replica& replica) const;
  Duration way(std::uint32_t replica, Draws::Way way) const;

  const Scenario& scenario_;
  const Draws& draws_;
  EventQueue& events_;
  std::vector<Replica> replicas_;
  std::vector<Node> nodes_;
  Counts counts_;
};

}  // namespace sluice::sim
