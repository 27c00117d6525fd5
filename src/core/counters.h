// The ledger of conservation: submitted = completed + refused + expired + cancelled + failed +
// waiting + running, at every instant.
#pragma once

#include <array>
#include <cstdint>

#include "base/state.h"
#include "core/labels.h"
#include "core/outcome.h"

namespace sluice::core {

struct Counters {
  std::uint64_t submitted = 0;
  std::array<std::uint64_t, kOutcomes> outcomes{};
  std::uint32_t waiting = 0;
  std::uint32_t running = 0;
  // Attempts that hold a credit: those of running tasks, one or two each, and those nobody waits
  // for.
  std::uint32_t attempts = 0;
  std::uint32_t abandoned = 0;
  // Running tasks of which two attempts are under way.
  std::uint32_t hedged = 0;
  // Attempts that were begun after another of the same task had failed.
  std::uint64_t retries = 0;
  // Attempts whose slot was taken for a more urgent task.
  std::uint64_t preemptions = 0;
  std::uint64_t promotions = 0;
  std::uint64_t hedges = 0;
  // Figures of nodes that were no shares.
  std::uint64_t rejected_figures = 0;
  // Events that named nothing alive, or time that went back: counted, otherwise ignored.
  std::uint64_t ignored_events = 0;

  std::uint64_t ended() const {
    std::uint64_t sum = 0;
    for (const auto n : outcomes) sum += n;
    return sum;
  }
  bool conserved() const {
    return submitted == ended() + waiting + running && attempts == running + abandoned + hedged;
  }

  SLUICE_STATE(submitted, outcomes, waiting, running, attempts, abandoned, hedged, retries,
               preemptions, promotions, hedges, rejected_figures, ignored_events);
};

}  // namespace sluice::core
