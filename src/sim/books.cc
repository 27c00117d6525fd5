#include "sim/books.h"

namespace sluice::sim {

std::string_view difference_between(const core::Counters& counters, const Ledger& ledger) {
  if (!counters.conserved()) return "the core's books do not balance";
  if (counters.submitted != ledger.submitted) {
    return "the core counts other requests than were submitted";
  }
  if (counters.ended() != ledger.ended) return "the core counts other outcomes than it gave";
  if (ledger.submitted != ledger.ended + ledger.open_requests) {
    return "a request has no outcome, or two";
  }
  if (std::uint64_t{counters.waiting} + counters.running != ledger.open_requests) {
    return "the core holds other tasks than there are open requests";
  }
  if (counters.attempts != ledger.open_attempts) {
    return "the core counts other attempts than were sent and not yet ended";
  }
  return {};
}

}  // namespace sluice::sim
