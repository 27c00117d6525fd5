// Who waits at a node, and who is next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/labels.h"
#include "sim/job.h"

namespace sluice::sim {

// The order of scenario.h's NodeQueues: lowest level first, then arrival at the gateway, over all
// models of the node. A list a model and level, so that everything is O(models of the node) or
// better: push walks past those that came to the gateway later and to the node earlier, which the
// spread of the network keeps few. Jobs live in the table; this links them.
class NodeQueue {
 public:
  // The table must outlive this.
  NodeQueue(JobTable& jobs, std::size_t models);

  // By slot of the table; job.place tells the model's place at this node.
  void push(std::uint32_t slot);
  void remove(std::uint32_t slot);

  // Takes out who is next; kNoSlot when nobody waits.
  std::uint32_t pop();
  // The newest of the numerically largest level of the model at this place; kNoSlot when none
  // waits.
  std::uint32_t worst(std::size_t place) const;

  std::uint32_t size() const { return size_; }
  std::uint32_t size(std::size_t place) const { return models_[place].size; }

 private:
  struct List {
    std::uint32_t head = kNoSlot;
    std::uint32_t tail = kNoSlot;
  };
  struct Model {
    std::array<List, core::kPriorities> levels;
    std::uint32_t occupied = 0;  // bit a level
    std::uint32_t size = 0;
  };

  bool came_before(std::uint32_t a, std::uint32_t b) const;

  JobTable& jobs_;
  std::vector<Model> models_;  // by place
  std::uint32_t size_ = 0;
};

}  // namespace sluice::sim
