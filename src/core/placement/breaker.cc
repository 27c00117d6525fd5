#include "core/placement/breaker.h"

#include <algorithm>

#include "core/smoothing.h"

namespace sluice::core {

AttemptVerdict verdict_of(AttemptResult result) {
  switch (result) {
    case AttemptResult::kAnswered:
      return AttemptVerdict::kSuccess;
    case AttemptResult::kError:
    case AttemptResult::kUnreachable:
    case AttemptResult::kTimeout:
    case AttemptResult::kBadAnswer:
      return AttemptVerdict::kFailure;
    case AttemptResult::kRejected:
    case AttemptResult::kBusy:
    case AttemptResult::kStopped:
      break;
  }
  return AttemptVerdict::kNeutral;
}

bool Breaker::admits(TimePoint now) const {
  switch (state_) {
    case BreakerState::kClosed:
      return true;
    case BreakerState::kOpen:
      return now >= changed_;
    case BreakerState::kHalfOpen:
      break;
  }
  return probing_ < options_->probes;
}

Breaker::Begun Breaker::begin(TimePoint now) {
  Begun begun{};
  if (state_ == BreakerState::kOpen && now >= changed_) {
    begun.transition = move_to(BreakerState::kHalfOpen, BreakerCause::kTimeUp, now);
  }
  // A ticket of no state at all for what was not let through.
  begun.ticket = admits(now) ? epoch_ : epoch_ - 1;
  if (state_ == BreakerState::kHalfOpen && begun.ticket == epoch_) ++probing_;
  return begun;
}

std::optional<BreakerTransition> Breaker::record(Ticket ticket, AttemptVerdict verdict,
                                                 TimePoint now, double slowness) {
  if (ticket != epoch_) return std::nullopt;
  const bool slow = verdict == AttemptVerdict::kSuccess && slowness >= options_->slow_ratio &&
                    options_->slow_in_a_row > 0;
  return state_ == BreakerState::kHalfOpen ? record_probe(verdict, slow, now)
                                           : record_closed(verdict, slow, now);
}

void Breaker::forget(Ticket ticket) {
  if (ticket == epoch_ && state_ == BreakerState::kHalfOpen) --probing_;
}

std::optional<BreakerTransition> Breaker::record_closed(AttemptVerdict verdict, bool slow,
                                                        TimePoint now) {
  if (verdict == AttemptVerdict::kNeutral) return std::nullopt;
  const bool failure = verdict == AttemptVerdict::kFailure;
  count(failure, now);
  failures_in_a_row_ = failure ? failures_in_a_row_ + 1 : 0;
  if (!failure) slow_in_a_row_ = slow ? slow_in_a_row_ + 1 : 0;
  const auto cause = fault();
  return cause ? std::optional(move_to(BreakerState::kOpen, *cause, now)) : std::nullopt;
}

// A probe that is slow beyond measure is not what one wants to go back to.
std::optional<BreakerTransition> Breaker::record_probe(AttemptVerdict verdict, bool slow,
                                                       TimePoint now) {
  --probing_;
  if (verdict == AttemptVerdict::kNeutral) return std::nullopt;
  if (verdict == AttemptVerdict::kFailure || slow) {
    return move_to(BreakerState::kOpen, BreakerCause::kProbeFailed, now);
  }
  if (++succeeded_ < options_->successes_to_close) return std::nullopt;
  return move_to(BreakerState::kClosed, BreakerCause::kProbesSucceeded, now);
}

void Breaker::count(bool failure, TimePoint now) {
  if (now > counted_) {
    const auto left = static_cast<float>(decay(now - counted_, options_->window));
    volume_ *= left;
    failures_ *= left;
    counted_ = now;
  }
  volume_ += 1;
  failures_ += failure ? 1 : 0;
}

std::optional<BreakerCause> Breaker::fault() const {
  const auto reached = [](std::uint32_t run, std::uint32_t limit) {
    return limit > 0 && run >= limit;
  };
  if (reached(failures_in_a_row_, options_->consecutive_failures)) {
    return BreakerCause::kConsecutiveFailures;
  }
  const double needed = options_->failure_share * static_cast<double>(volume_);
  if (volume_ >= options_->min_volume && failures_ >= needed) return BreakerCause::kFailureShare;
  if (reached(slow_in_a_row_, options_->slow_in_a_row)) return BreakerCause::kLatency;
  return std::nullopt;
}

// Every state begins with a clean sheet.
BreakerTransition Breaker::move_to(BreakerState to, BreakerCause cause, TimePoint now) {
  BreakerTransition transition{
      .from = state_,
      .to = to,
      .cause = cause,
      .failures_in_a_row = failures_in_a_row_,
      .slow_in_a_row = slow_in_a_row_,
      .failure_share = volume_ > 0 ? static_cast<double>(failures_ / volume_) : 0,
      .volume = static_cast<double>(volume_)};
  if (to == BreakerState::kOpen) transition.open_for = open_next(now);
  changed_ = saturating_add(now, transition.open_for);
  volume_ = failures_ = 0;
  failures_in_a_row_ = slow_in_a_row_ = 0;
  probing_ = succeeded_ = 0;
  state_ = to;
  // Two apart, so that a ticket of no state stays one.
  epoch_ += 2;
  return transition;
}

Duration Breaker::open_next(TimePoint now) {
  if (state_ == BreakerState::kClosed && now - changed_ >= options_->healthy_after) openings_ = 0;
  const Duration longest = std::max(options_->longest_open, options_->open_for);
  Duration open = options_->open_for;
  for (int i = 0; i < openings_ && open < longest; ++i) {
    open = open > longest / 2 ? longest : open * 2;
  }
  openings_ += openings_ < UINT8_MAX;
  return open;
}

}  // namespace sluice::core
