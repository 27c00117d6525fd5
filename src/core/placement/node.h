// A node as the scheduler sees it: slots, credits, and how fast it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/state.h"
#include "base/time.h"
#include "core/options.h"
#include "core/task.h"

namespace sluice::core {

// Slots run attempts, credits let attempts be on their way: with a round trip that is long against
// the service time one attempt a slot leaves the slots idle while answers and requests travel.
//     credits = ceil(slots × (1 + round trip ÷ service) − ¼), slots .. kCreditCap × slots
// All credits are the node's, shared by its models. In-flight counts are ours and always fresh;
// figures that others report may be old.
//
// A node that has just become ready may be cold: caches empty, models not yet compiled. It may be
// made to start slowly, as TCP does (Jacobson 1988): few attempts in flight at first, one more with
// each success, until it has all of its credits. So the window doubles once a service time,
// whatever that is while the node is cold, and no clock is asked.
class alignas(64) Node {
 public:
  static constexpr std::uint32_t kCreditCap = 4;

  explicit Node(const NodeOptions& options);

  bool ready() const { return ready_; }
  bool reported() const { return reported_; }
  std::uint32_t slots() const { return slots_; }
  std::uint32_t credits() const { return credits_; }
  std::uint32_t in_flight() const { return in_flight_; }
  Duration round_trip() const { return round_trip_; }
  // Over its models, as they come; 0 until one was measured.
  double mean_service_ns() const { return mean_service_ns_; }
  // Most attempts in flight: its credits, or less while it starts slowly.
  std::uint32_t allowed() const { return std::min(credits_, window_); }
  bool starting() const { return window_ < credits_; }
  // May be given one more attempt.
  bool open() const { return ready_ && in_flight_ < allowed(); }

  void report(bool ready, std::optional<Duration> round_trip);
  // From now on no more than so many attempts in flight, ≥ 1, and one more with each success.
  void start_slowly(std::uint32_t attempts);
  void succeeded();

  // An attempt leaves for the node. Sets when it is thought to begin.
  void begin(std::uint32_t attempt_slot, Attempt& attempt, TimePoint now);

  // An attempt has ended, well or not. Returns the slot of the attempt that is thought to begin in
  // its place, if one was waiting at the node.
  std::optional<std::uint32_t> end(std::uint32_t attempt_slot);

  // Service time of an answered attempt, for the node's mean and with it its credits.
  void learn(Duration service);

  // Until a slot is free for one more attempt, on average: zero below those that it may use.
  Duration queueing() const { return queueing(in_flight_); }
  // The same when one of those in flight were not.
  Duration queueing_without_one() const { return queueing(in_flight_ > 0 ? in_flight_ - 1 : 0); }

  SLUICE_STATE(slots, credits, window, in_flight, round_trip, slot_frees_every_ns, ready, reported,
               fixed_round_trip, fixed_credits, mean_service_ns, queued);

 private:
  static constexpr std::uint32_t kNoWindow = UINT32_MAX;

  void size_credits();
  Duration queueing(std::uint32_t in_flight) const {
    if (in_flight < usable()) return Duration::zero();
    // The first slot to free has been busy for half of its time already, on average; those behind
    // it take theirs whole. A whole mean for the first would refuse urgent tasks beside long ones,
    // and with only the long ones left to learn from, go on refusing them.
    const double ahead = in_flight - usable() + 0.5;
    return Duration(static_cast<std::int64_t>(ahead * slot_frees_every_ns_));
  }
  void set_window(std::uint32_t attempts);
  // Parallel executions that it may use.
  std::uint32_t usable() const { return std::min(slots_, window_); }

  // In the order in which placement reads them: looking at a node is a cache line.
  std::uint32_t slots_;
  std::uint32_t credits_;
  std::uint32_t window_ = kNoWindow;
  std::uint32_t in_flight_ = 0;
  Duration round_trip_;
  double slot_frees_every_ns_ = 0;  // on average, while all usable slots are busy
  bool ready_ = false;
  bool reported_ = false;
  bool fixed_round_trip_;
  std::optional<std::uint32_t> fixed_credits_;
  double mean_service_ns_ = 0;
  // Attempts beyond the slots, oldest first: the node runs them in the order they came. At most
  // credits − slots entries.
  std::vector<std::uint32_t> queued_;
};

}  // namespace sluice::core
