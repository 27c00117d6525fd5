#include "sim/books.h"

#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

struct Books {
  core::Counters counters{
      .submitted = 10, .waiting = 2, .running = 3, .attempts = 4, .abandoned = 1};
  Ledger ledger{.submitted = 10, .ended = 5, .open_requests = 5, .open_attempts = 4};
  Books() { counters.outcomes[0] = 5; }
  std::string_view difference() const { return difference_between(counters, ledger); }
};

TEST(Books, AgreeWhenTheyDo) {
  EXPECT_EQ(Books().difference(), "");
}

TEST(Books, SayWhereTheyDiffer) {
  Books lost;
  ++lost.counters.waiting;
  EXPECT_EQ(lost.difference(), "the core's books do not balance");
  Books other;
  ++other.ledger.submitted;
  EXPECT_EQ(other.difference(), "the core counts other requests than were submitted");
  Books twice;
  ++twice.ledger.ended;
  EXPECT_EQ(twice.difference(), "the core counts other outcomes than it gave");
  Books open;
  ++open.ledger.open_requests;
  EXPECT_EQ(open.difference(), "a request has no outcome, or two");
  Books attempts;
  ++attempts.ledger.open_attempts;
  EXPECT_EQ(attempts.difference(),
            "the core counts other attempts than were sent and not yet ended");
}

}  // namespace
}  // namespace sluice::sim
