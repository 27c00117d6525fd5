// What happens next in virtual time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"

namespace sluice::sim {

enum class EventKind : std::uint8_t {
  kRequest,        // the next request arrives at the gateway
  kCallerLeaves,   // the client timeout of an open request
  kReachNode,      // an attempt's request arrives at its node
  kServed,         // an execution is over
  kReachGateway,   // an attempt's answer arrives back
  kCancelAtNode,   // word that nobody waits any more arrives at the node
  kOrderAtNode,    // an order to load or unload a model arrives at its node
  kLoadOver,       // a model is in memory, or has failed to get there
  kOrderAnswered,  // the answer to such an order is back
  kProbeSent,      // a health check leaves the gateway
  kProbeAnswered,  // its answer is back
  kProbeMissed,    // its time limit has passed without one
  kDeclare,        // a balancer's health check has seen a change of a node
  kScraped,        // a node's own figures are read
  kFiguresArrive,  // and are at the gateway
  kFaultBegins,
  kFaultEnds,
  kFaultTurns,  // of a flapping node
  kPeriodEnds,  // a border between periods of which figures are kept
  kLook,        // figures of the nodes are looked at
};

// Small and plain: a run moves some ten million of them.
struct Event {
  TimePoint at;
  EventKind kind = EventKind::kRequest;
  std::uint32_t subject = 0;     // slot or index of what it is about
  std::uint32_t generation = 0;  // of the subject when this was scheduled: a stale event is ignored
};

// Events in order of time, and of scheduling among those of one instant: the order, and with it the
// whole run, is the same on every machine. push and pop are O(log n) in a heap of four children a
// node (half the levels of a binary one, and the four lie in two cache lines); what is known to
// come in order goes in a line of its own instead, O(1). Allocates only when it is fuller than
// ever.
class EventQueue {
 public:
  // Lines: each lane's client timeouts are as long as one another, so they fall due in the order
  // of arrival; the arrivals themselves are the last line.
  static constexpr std::size_t kLines = 4;

  void push(const Event& event);
  // Not earlier than the last one of the line.
  void push_in_line(std::size_t line, const Event& event);

  bool empty() const { return first_ == kNowhere; }
  // kNever when empty.
  TimePoint next_at() const { return empty() ? kNever : front(first_).at; }
  // Not empty.
  Event pop();

 private:
  static constexpr std::size_t kHeap = kLines;
  static constexpr std::size_t kNowhere = kLines + 1;
  static constexpr std::size_t kChildren = 4;

  struct Entry {
    TimePoint at;
    std::uint64_t order;  // sequence × 256 + kind
    std::uint32_t subject;
    std::uint32_t generation;

    bool before(const Entry& other) const {
      return at != other.at ? at < other.at : order < other.order;
    }
  };
  // A ring that grows: size a power of two, from `head` on `count` entries.
  struct Line {
    std::vector<Entry> ring;
    std::size_t head = 0;
    std::size_t count = 0;

    const Entry& front() const { return ring[head]; }
    void push(const Entry& entry);
    Entry pop();
  };

  Entry entry(const Event& event);
  const Entry& front(std::size_t source) const {
    return source == kHeap ? heap_.front() : lines_[source].front();
  }
  void note_added(const Entry& entry, std::size_t source);
  std::size_t find_first() const;
  void push_heap(const Entry& added);
  Entry pop_heap();

  std::vector<Entry> heap_;
  std::array<Line, kLines> lines_;
  std::uint64_t sequence_ = 0;
  std::size_t first_ = kNowhere;  // where the next event is
};

}  // namespace sluice::sim
