// The books of the core against those of the world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/observer.h"

namespace sluice::sim {

// Every request has one outcome, everything that is open here is open there, credits in use are
// attempts not yet ended, no node runs more than its slots or holds more than its credits.
// O(nodes).
class Conservation : public Observer {
 public:
  void after(const Step& step) override;

  // Also called without an event, when the run is over.
  void compare(TimePoint now, const core::Scheduler& scheduler, const Cluster& cluster,
               const Ledger& ledger);
  // Something that is never right, whatever the figures.
  void violated(TimePoint now, std::string_view what);

  std::uint64_t count() const { return count_; }
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  static constexpr std::size_t kMostKept = 100;

  void expect(bool holds, TimePoint now, std::string_view what) {
    if (!holds) violated(now, what);
  }

  std::vector<std::string> violations_;
  std::uint64_t count_ = 0;
};

}  // namespace sluice::sim
