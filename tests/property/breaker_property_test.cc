// What a breaker lets through, over any attempts that end in any order and any way.
#include "core/placement/breaker.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace sluice::core {
namespace {

// begin: begins an attempt if one is admitted; otherwise the attempt `which` of those under way
// ends so.
struct Step {
  std::uint32_t after_ms = 0;
  bool begin = true;
  std::uint32_t which = 0;
  std::uint32_t end = 0;
};

std::ostream& operator<<(std::ostream& out, const Step& s) {
  return out << "after " << s.after_ms << " ms: " << (s.begin ? "begin" : "end") << ' ' << s.which
             << ' ' << s.end;
}

std::vector<Step> any_steps() {
  return *rc::gen::container<std::vector<Step>>(
      rc::gen::build<Step>(rc::gen::set(&Step::after_ms, rc::gen::inRange(0U, 800U)),
                           rc::gen::set(&Step::begin, rc::gen::arbitrary<bool>()),
                           rc::gen::set(&Step::which, rc::gen::inRange(0U, 100U)),
                           rc::gen::set(&Step::end, rc::gen::inRange(0U, 6U))));
}

// Failures are twice as likely as successes, so that it opens.
std::optional<BreakerTransition> finish(Breaker& breaker, Breaker::Ticket ticket, std::uint32_t end,
                                        TimePoint now) {
  if (end == 0) breaker.forget(ticket);
  if (end == 0) return std::nullopt;
  const auto verdict = end == 1   ? AttemptVerdict::kNeutral
                       : end <= 3 ? AttemptVerdict::kSuccess
                                  : AttemptVerdict::kFailure;
  return breaker.record(ticket, verdict, now);
}

RC_GTEST_PROP(BreakerProperty, NothingPassesWhileItIsOpenAndFewWhileItIsHalfOpen, ()) {
  BreakerOptions options{.consecutive_failures = 2, .probes = 2, .successes_to_close = 2};
  Breaker breaker(options);
  std::vector<Breaker::Ticket> under_way;
  std::size_t probes = 0;  // under way since it became half-open
  TimePoint now{std::chrono::hours(1)};
  TimePoint opens_at{};
  Breaker::Ticket half_open = 0;
  for (const Step& step : any_steps()) {
    now += std::chrono::milliseconds(step.after_ms);
    if (step.begin && breaker.admits(now)) {
      const auto begun = breaker.begin(now);
      if (begun.transition) {
        RC_ASSERT(now >= opens_at);
        half_open = begun.ticket;
        probes = 0;
      }
      under_way.push_back(begun.ticket);
      if (breaker.state() == BreakerState::kHalfOpen) RC_ASSERT(++probes <= options.probes);
    } else if (!under_way.empty()) {
      const std::size_t i = step.which % under_way.size();
      const auto ticket = under_way[i];
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(i));
      const bool is_probe = breaker.state() == BreakerState::kHalfOpen && ticket == half_open;
      probes -= is_probe;
      const auto transition = finish(breaker, ticket, step.end, now);
      if (!transition) continue;
      RC_ASSERT(transition->to == breaker.state());
      if (transition->to != BreakerState::kOpen) continue;
      opens_at = now + transition->open_for;
      RC_ASSERT(transition->open_for >= options.open_for);
      RC_ASSERT(transition->open_for <= options.longest_open);
      RC_ASSERT(breaker.next_change() == opens_at);
      RC_ASSERT(!breaker.admits(opens_at - Duration(1)));
    }
  }
}

}  // namespace
}  // namespace sluice::core
