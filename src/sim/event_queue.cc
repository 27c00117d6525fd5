#include "sim/event_queue.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::sim {

void EventQueue::Line::push(const Entry& entry) {
  if (count == ring.size()) {
    std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(head), ring.end());
    head = 0;
    ring.resize(std::max<std::size_t>(64, ring.size() * 2));
  }
  ring[(head + count++) & (ring.size() - 1)] = entry;
}

EventQueue::Entry EventQueue::Line::pop() {
  const Entry first = ring[head];
  head = (head + 1) & (ring.size() - 1);
  --count;
  return first;
}

EventQueue::Entry EventQueue::entry(const Event& event) {
  return {.at = event.at,
          .order = (sequence_++ << 8) | static_cast<std::uint8_t>(event.kind),
          .subject = event.subject,
          .generation = event.generation};
}

void EventQueue::push(const Event& event) {
  const Entry added = entry(event);
  push_heap(added);
  note_added(added, kHeap);
}

void EventQueue::push_in_line(std::size_t line, const Event& event) {
  Line& to = lines_[line];
  const std::size_t last = (to.head + to.count - 1) & (to.ring.size() - 1);
  SLUICE_CHECK(to.count == 0 || to.ring[last].at <= event.at, "a line of events is in order");
  const Entry added = entry(event);
  to.push(added);
  note_added(added, line);
}

void EventQueue::note_added(const Entry& entry, std::size_t source) {
  if (first_ == kNowhere || entry.before(front(first_))) first_ = source;
}

std::size_t EventQueue::find_first() const {
  std::size_t first = heap_.empty() ? kNowhere : kHeap;
  for (std::size_t line = 0; line < kLines; ++line) {
    if (lines_[line].count == 0) continue;
    if (first == kNowhere || lines_[line].front().before(front(first))) first = line;
  }
  return first;
}

Event EventQueue::pop() {
  SLUICE_CHECK(!empty(), "nothing is left to happen");
  const Entry next = first_ == kHeap ? pop_heap() : lines_[first_].pop();
  first_ = find_first();
  return {.at = next.at,
          .kind = static_cast<EventKind>(next.order & 0xff),
          .subject = next.subject,
          .generation = next.generation};
}

void EventQueue::push_heap(const Entry& added) {
  std::size_t hole = heap_.size();
  heap_.push_back(added);
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / kChildren;
    if (!added.before(heap_[parent])) break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = added;
}

EventQueue::Entry EventQueue::pop_heap() {
  const Entry first = heap_.front();
  const Entry last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return first;
  std::size_t hole = 0;
  while (true) {
    const std::size_t child = hole * kChildren + 1;
    if (child >= size) break;
    std::size_t least = child;
    for (std::size_t c = child + 1; c < std::min(child + kChildren, size); ++c) {
      if (heap_[c].before(heap_[least])) least = c;
    }
    if (!heap_[least].before(last)) break;
    heap_[hole] = heap_[least];
    hole = least;
  }
  heap_[hole] = last;
  return first;
}

}  // namespace sluice::sim
