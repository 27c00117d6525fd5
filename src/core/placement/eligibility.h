// Which tasks may run where: those with the same candidates form one eligibility class (R26).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.h"
#include "core/lanes/flows.h"
#include "core/options.h"

namespace sluice::core {

// Tasks are queued by class, so that one look at a queue's head answers "can anything here run on
// this node?", and queues are few: as many as there are different sets of nodes, not as many as
// there are models and priorities. Fixed for the life of a configuration.
//
// Early binding is the same thing with other classes: one a node, and a task enters that of the
// node it was bound to.
class Eligibility {
 public:
  explicit Eligibility(const Options& options);

  std::uint32_t class_count() const { return static_cast<std::uint32_t>(classes_.size()); }
  // In ascending order of node id.
  std::span<const NodeId> nodes(ClassId klass) const { return classes_[klass.value]; }
  std::span<const ClassId> classes_of(NodeId node) const { return classes_of_node_[node.value]; }

  // Nodes that have the model, whatever they accept, ascending.
  std::span<const NodeId> candidates(ModelId model) const { return candidates_[model.value]; }
  bool accepts(NodeId node, Priority priority) const {
    return accepted_[node.value].contains(priority);
  }
  // Late binding: the class of tasks of the model and this priority; invalid when no node that has
  // the model takes them.
  ClassId class_of(ModelId model, Priority priority) const {
    return class_of_[model.value * kPriorities + priority];
  }
  // All classes in which tasks of the model may wait, each once.
  std::span<const ClassId> classes_of(ModelId model) const {
    return classes_of_model_[model.value];
  }
  // Early binding: the class that holds this node alone.
  ClassId class_of(NodeId node) const { return {node.value}; }

  // A number for the pair, dense over all pairs that exist, for tables of figures by replica.
  // The node must be a candidate of the model. O(log candidates).
  std::uint32_t replica(ModelId model, NodeId node) const;
  // Where the numbers of the class's nodes, in order, begin: they are dense. Nothing where the
  // class leaves out nodes that have the model, or binding is early.
  std::optional<std::uint32_t> first_replica(ModelId model, ClassId klass) const {
    if (whole_class_[model.value] != klass) return std::nullopt;
    return first_replica_[model.value];
  }
  // The node's place among the nodes of the class, if it is one of them. O(log nodes).
  std::optional<std::size_t> position(ClassId klass, NodeId node) const;
  std::uint32_t replica_count() const { return replica_count_; }

 private:
  void collect_candidates(const Options& options);
  void group_tasks();
  std::vector<NodeId> accepting(ModelId model, Priority priority) const;
  void one_class_a_node(std::size_t nodes);
  void index_by_node(std::size_t nodes);

  std::vector<PriorityRange> accepted_;          // by node
  std::vector<std::vector<NodeId>> candidates_;  // by model
  std::vector<std::uint32_t> first_replica_;     // by model
  std::uint32_t replica_count_ = 0;
  std::vector<std::vector<NodeId>> classes_;  // by class
  std::vector<ClassId> class_of_;             // by model and priority
  std::vector<ClassId> whole_class_;          // by model: of all of its candidates, if there is one
  std::vector<std::vector<ClassId>> classes_of_model_;
  std::vector<std::vector<ClassId>> classes_of_node_;
};

}  // namespace sluice::core
