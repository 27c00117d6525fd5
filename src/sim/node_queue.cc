#include "sim/node_queue.h"

#include <bit>

namespace sluice::sim {

NodeQueue::NodeQueue(JobTable& jobs, std::size_t models) : jobs_(jobs), models_(models) {}

bool NodeQueue::came_before(std::uint32_t a, std::uint32_t b) const {
  const Job& x = jobs_[a];
  const Job& y = jobs_[b];
  return x.arrival != y.arrival ? x.arrival < y.arrival : x.number < y.number;
}

void NodeQueue::push(std::uint32_t slot) {
  Job& job = jobs_[slot];
  Model& model = models_[job.place];
  List& list = model.levels[job.level];
  std::uint32_t before = list.tail;
  while (before != kNoSlot && came_before(slot, before)) before = jobs_[before].prev;
  const std::uint32_t after = before == kNoSlot ? list.head : jobs_[before].next;
  job.prev = before;
  job.next = after;
  (before == kNoSlot ? list.head : jobs_[before].next) = slot;
  (after == kNoSlot ? list.tail : jobs_[after].prev) = slot;
  model.occupied |= 1u << job.level;
  ++model.size;
  ++size_;
}

void NodeQueue::remove(std::uint32_t slot) {
  const Job& job = jobs_[slot];
  Model& model = models_[job.place];
  List& list = model.levels[job.level];
  (job.prev == kNoSlot ? list.head : jobs_[job.prev].next) = job.next;
  (job.next == kNoSlot ? list.tail : jobs_[job.next].prev) = job.prev;
  if (list.head == kNoSlot) model.occupied &= ~(1u << job.level);
  --model.size;
  --size_;
}

std::uint32_t NodeQueue::pop() {
  if (size_ == 0) return kNoSlot;
  std::uint32_t occupied = 0;
  for (const Model& model : models_) occupied |= model.occupied;
  const auto level = static_cast<std::size_t>(std::countr_zero(occupied));
  std::uint32_t first = kNoSlot;
  for (const Model& model : models_) {
    const std::uint32_t head = model.levels[level].head;
    if (head != kNoSlot && (first == kNoSlot || came_before(head, first))) first = head;
  }
  remove(first);
  return first;
}

std::uint32_t NodeQueue::worst(std::size_t place) const {
  const Model& model = models_[place];
  if (model.occupied == 0) return kNoSlot;
  return model.levels[static_cast<std::size_t>(std::bit_width(model.occupied)) - 1].tail;
}

}  // namespace sluice::sim
