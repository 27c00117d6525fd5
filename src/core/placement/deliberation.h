// What was looked at for one task, kept until somebody asks why (R40).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/decision.h"

namespace sluice::core {

// Keeps the best few of what is noted, and what is decided on. O(kMostListed) a note; no memory
// beyond that.
class Deliberation {
 public:
  void begin() {
    considered_ = 0;
    listed_ = 0;
    chosen_ = {};
  }

  void note(const Weighed& weighed) {
    ++considered_;
    if (listed_ == best_.size() && !before(weighed, best_.back())) return;
    // A sample may look at one twice.
    if (lists(weighed.node)) return;
    std::size_t at = listed_ < best_.size() ? listed_++ : best_.size() - 1;
    for (; at > 0 && before(weighed, best_[at - 1]); --at) best_[at] = best_[at - 1];
    best_[at] = weighed;
  }

  void decide_on(const Weighed& chosen) { chosen_ = chosen; }

  void write_to(PlacementRecord& record) const {
    record.considered = considered_;
    record.node = chosen_.node;
    const auto list = [&](const Weighed& weighed) { record.best[record.listed++] = weighed; };
    record.listed = 0;
    if (chosen_.node.valid()) list(chosen_);
    for (std::size_t i = 0; i < listed_ && record.listed < record.best.size(); ++i) {
      if (best_[i].node != chosen_.node) list(best_[i]);
    }
  }

 private:
  bool lists(NodeId node) const {
    return std::any_of(best_.begin(), best_.begin() + listed_,
                       [&](const Weighed& known) { return known.node == node; });
  }
  static bool before(const Weighed& a, const Weighed& b) {
    return a.marks != b.marks ? a.marks < b.marks : a.cost < b.cost;
  }

  std::array<Weighed, PlacementRecord::kMostListed> best_{};
  Weighed chosen_;
  std::size_t listed_ = 0;
  std::uint32_t considered_ = 0;
};

}  // namespace sluice::core
