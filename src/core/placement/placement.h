// Which node runs a task (R19, R20, R21, R23).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "core/lanes/flows.h"
#include "core/options.h"
#include "core/placement/eligibility.h"
#include "core/placement/node.h"
#include "core/placement/service_estimate.h"
#include "core/task.h"

namespace sluice::core {

// What a task may expect of a node.
struct Prediction {
  Duration until_slot{0};  // round trip and work already there
  Duration service{0};
  bool trusted = false;  // measured often enough, and of late

  Duration total() const { return until_slot + service; }
};

enum class Verdict : std::uint8_t {
  kRun,       // on `node`
  kWait,      // a busy node is predicted to be in time, no free one is
  kHopeless,  // no node is predicted to be in time
};

struct Choice {
  Verdict verdict = Verdict::kWait;
  NodeId node;
  Prediction prediction;
};

// Owns the nodes, who of them is open, and the service time of each replica. Every change of a node
// is passed on to the flows in the same call, so a class is active exactly while one of its nodes
// is open.
class Placement {
 public:
  Placement(const Options& options, const Eligibility& eligibility, Flows& flows);

  const Node& node(NodeId node) const { return nodes_[node.value]; }

  void report(NodeId node, bool ready, std::optional<Duration> round_trip);
  void begin(NodeId node, std::uint32_t attempt_slot, Attempt& attempt, TimePoint now);
  // The slot of the attempt that is thought to begin now in place of the one that ended.
  std::optional<std::uint32_t> end(NodeId node, std::uint32_t attempt_slot);
  // An answered attempt took this long to serve.
  void learn(NodeId node, ModelId model, Duration service, std::uint64_t size_bytes, TimePoint now);

  bool open(ClassId klass) const { return !classes_[klass.value].open.empty(); }
  bool ready(ClassId klass) const { return classes_[klass.value].ready_slots > 0; }
  // Every node of the class has reported, and none is ready.
  bool down(ClassId klass) const;
  std::uint32_t ready_slots() const { return ready_slots_; }
  std::uint32_t ready_slots(ClassId klass) const { return classes_[klass.value].ready_slots; }

  // Early binding: the model's next ready node in turn, or its next node when none is ready.
  // Invalid when it has no node. O(candidates).
  NodeId next_in_turn(ModelId model);

  // The shortest prediction among the ready nodes of the class, open or not; of a sample of them
  // when they are many. None when no node is ready.
  std::optional<Prediction> best_ready(const Task& task, ClassId klass, TimePoint now);

  // Filter, score, choose: among the open nodes of the class (at least one) the one that is
  // predicted to finish first, ties to the lower id. `mind_deadline`: do not run what will be late.
  Choice choose(const Task& task, ClassId klass, TimePoint now, bool mind_deadline);

 private:
  // Beyond this many candidates a sample is looked at: power of d choices (Mitzenmacher 2001).
  static constexpr std::size_t kExhaustive = 32;
  static constexpr std::size_t kSample = 8;
  static constexpr std::uint32_t kNowhere = 0xffffffff;

  struct Membership {
    ClassId klass;
    std::uint32_t position = 0;     // the node's place among the nodes of the class
    std::uint32_t open = kNowhere;  // its place among the open ones
  };
  struct OpenNode {
    NodeId node;
    std::uint32_t membership;  // this class's place in memberships_[node]
    std::uint32_t position;    // the node's place among the nodes of the class
  };
  struct ClassState {
    std::vector<OpenNode> open;
    std::uint32_t ready_slots = 0;
  };
  struct Candidate {
    NodeId node;
    Prediction prediction;
  };

  // Keeps the classes' lists of open nodes right after the node has changed.
  void refresh(NodeId node);
  void open_in(NodeId node, std::uint32_t membership);
  void close_in(NodeId node, std::uint32_t membership);
  void count_ready(NodeId node, bool ready);
  // For the node at this position of the class.
  Prediction predict(const Task& task, ClassId klass, std::size_t position, TimePoint now) const;
  // The best of the open nodes, and of the ready ones; of a sample of them when they are many.
  Candidate first_to_finish(const Task& task, ClassId klass, TimePoint now);
  Candidate first_ready(const Task& task, ClassId klass, TimePoint now);

  const Options& options_;
  const Eligibility& eligibility_;
  Flows& flows_;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> is_open_;                 // by node
  std::vector<std::vector<Membership>> memberships_;  // by node
  std::vector<ClassState> classes_;
  std::uint32_t ready_slots_ = 0;
  std::vector<ServiceEstimate> estimates_;  // by replica
  std::vector<std::uint32_t> turn_;         // by model
  Random random_;
};

}  // namespace sluice::core
