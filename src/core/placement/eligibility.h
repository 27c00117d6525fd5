// Which tasks may run where: models with the same candidates form one eligibility class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.h"
#include "core/lanes/flows.h"
#include "core/options.h"

namespace sluice::core {

// Tasks are queued by class, so that one look at a queue's head answers "can anything here run on
// this node?", and queues are few: as many as there are different sets of nodes, not as many as
// there are models. Fixed for the life of a configuration.
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

  // Where tasks of the model may run, ascending; empty when no node has it.
  std::span<const NodeId> candidates(ModelId model) const { return candidates_[model.value]; }
  // Late binding: the class of the model; invalid when no node has it.
  ClassId class_of(ModelId model) const { return class_of_model_[model.value]; }
  // Early binding: the class that holds this node alone.
  ClassId class_of(NodeId node) const { return {node.value}; }

  // A number for the pair, dense over all pairs that exist, for tables of figures by replica.
  // The node must be a candidate of the model. O(log candidates).
  std::uint32_t replica(ModelId model, NodeId node) const;
  // The same for the node at this position of the class's nodes, O(1) where binding is late.
  std::uint32_t replica(ModelId model, ClassId klass, std::size_t position) const {
    if (class_of_model_[model.value] == klass) {
      return first_replica_[model.value] + static_cast<std::uint32_t>(position);
    }
    return replica(model, classes_[klass.value][position]);
  }
  std::uint32_t replica_count() const { return replica_count_; }

 private:
  void collect_candidates(const Options& options);
  void group_models();
  void one_class_a_node(const Options& options);
  void index_by_node(std::size_t nodes);

  std::vector<std::vector<NodeId>> candidates_;  // by model
  std::vector<std::uint32_t> first_replica_;     // by model
  std::uint32_t replica_count_ = 0;
  std::vector<std::vector<NodeId>> classes_;  // by class
  std::vector<ClassId> class_of_model_;       // by model
  std::vector<std::vector<ClassId>> classes_of_node_;
};

}  // namespace sluice::core
