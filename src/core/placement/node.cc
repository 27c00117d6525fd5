#include "core/placement/node.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace sluice::core {

Node::Node(const NodeOptions& options)
    : slots_(options.slots),
      credits_(options.credits.value_or(options.slots)),
      round_trip_(options.round_trip.value_or(Duration::zero())),
      fixed_round_trip_(options.round_trip.has_value()),
      fixed_credits_(options.credits) {
  SLUICE_CHECK(slots_ > 0 && credits_ > 0, "a node has at least one slot and one credit");
  queued_.reserve(std::max(credits_, slots_ * kCreditCap));
}

void Node::report(bool ready, std::optional<Duration> round_trip) {
  ready_ = ready;
  reported_ = true;
  if (!round_trip || fixed_round_trip_) return;
  const Duration measured = std::max(*round_trip, Duration::zero());
  // The shortest of late: a probe that waited for a busy node measured its queue, not the way. The
  // memory of a short one fades, so that a way that has become longer is believed in the end.
  const bool first = round_trip_ == Duration::zero();
  round_trip_ = first ? measured : std::min(measured, round_trip_ + round_trip_ / 16);
  size_credits();
}

void Node::begin(std::uint32_t attempt_slot, Attempt& attempt, TimePoint now) {
  SLUICE_CHECK(open(), "dispatched to a node that is full or not ready");
  if (in_flight_ < slots_) {
    attempt.began = now + round_trip_;
  } else {
    attempt.began = kNever;
    queued_.push_back(attempt_slot);
  }
  ++in_flight_;
}

std::optional<std::uint32_t> Node::end(std::uint32_t attempt_slot) {
  SLUICE_CHECK(in_flight_ > 0, "an attempt ended at a node that had none");
  --in_flight_;
  const auto waiting = std::find(queued_.begin(), queued_.end(), attempt_slot);
  if (waiting != queued_.end()) {
    queued_.erase(waiting);
    return std::nullopt;
  }
  if (queued_.empty()) return std::nullopt;
  const std::uint32_t next = queued_.front();
  queued_.erase(queued_.begin());
  return next;
}

void Node::learn(Duration service) {
  constexpr double kAlpha = 0.05;
  const auto ns = static_cast<double>(service.count());
  mean_service_ns_ += (mean_service_ns_ == 0 ? 1 : kAlpha) * (ns - mean_service_ns_);
  slot_frees_every_ns_ = mean_service_ns_ / usable();
  size_credits();
}

void Node::start_slowly(std::uint32_t attempts) {
  SLUICE_CHECK(attempts > 0, "a window without attempts never opens");
  set_window(attempts);
}

void Node::succeeded() {
  if (window_ != kNoWindow) set_window(window_ + 1);
}

void Node::set_window(std::uint32_t attempts) {
  window_ = attempts < credits_ ? attempts : kNoWindow;
  slot_frees_every_ns_ = mean_service_ns_ / usable();
}

// The cap matters: an error in the round trip costs order (what waits at the node can no longer be
// passed), too few credits cost only idle time.
void Node::size_credits() {
  if (fixed_credits_ || mean_service_ns_ <= 0) return;
  const double trips = static_cast<double>(round_trip_.count()) / mean_service_ns_;
  // A quarter of an attempt is not worth one: on a short way it would only wait at the node.
  constexpr double kNotWorthOne = 0.25;
  const double wanted = std::max<double>(slots_, std::ceil(slots_ * (1 + trips) - kNotWorthOne));
  credits_ = static_cast<std::uint32_t>(std::min<double>(wanted, slots_ * kCreditCap));
}

}  // namespace sluice::core
