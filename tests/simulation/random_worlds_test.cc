// Worlds drawn at random, each under all checks: whatever the faults, knobs and callers, the core
// keeps its promises. A failing seed is replayed by the line that is printed with it.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include "sim/random/trial.h"

namespace sluice::sim {
namespace {

constexpr std::uint64_t kAllSeeds = 500;

// Fewer where the compiler's checks take their time: SLUICE_SEEDS.
std::uint64_t seeds() {
  const char* const few = std::getenv("SLUICE_SEEDS");
  return few == nullptr ? kAllSeeds : std::strtoull(few, nullptr, 10);
}

Trial expect_right(const TrialOptions& options) {
  Trial trial = try_world(options);
  EXPECT_EQ(trial.result.violations, std::vector<std::string>{})
      << "again: " << replay_line(options);
  return trial;
}

TEST(RandomWorlds, KeepEveryPromiseAndTakeEveryBranch) {
  Coverage coverage;
  std::uint64_t requests = 0;
  std::map<std::string, std::uint64_t> struck;
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    const Trial trial = expect_right({.seed = seed});
    if (HasFailure()) return;
    coverage.add(trial.coverage);
    requests += trial.result.requests;
    for (const auto& [kind, count] : trial.result.run.faults) struck[kind] += count;
  }
  EXPECT_GT(requests, seeds() * 1000);
  if (seeds() < kAllSeeds) return;
  for (const Coverage::Branch& branch : coverage.branches()) {
    EXPECT_GT(branch.count, 0u) << "never taken: " << branch.name;
  }
  for (std::size_t kind = 0; kind < kFaultKindNames.size(); ++kind) {
    // Nobody asks a quota service yet, so it may as well be away.
    if (FaultKind(kind) == FaultKind::kQuotaServiceAway) continue;
    EXPECT_GT(struck[std::string(kFaultKindNames[kind])], 0u) << kFaultKindNames[kind];
  }
}

// One seed in twenty once more: the same actions, with all their fields, at the same times.
TEST(RandomWorlds, TheSameSeedGivesTheSameActionsByteForByte) {
  for (std::uint64_t seed = 1; seed <= seeds(); seed += 20) {
    const TrialOptions options{.seed = seed, .check = false};
    const Trial once = try_world(options);
    const Trial again = try_world(options);
    EXPECT_GT(once.actions, 500u) << "seed " << seed;
    EXPECT_EQ(once.digest, again.digest) << "seed " << seed;
    EXPECT_EQ(once.actions, again.actions) << "seed " << seed;
  }
  EXPECT_NE(try_world({.seed = 1}).digest, try_world({.seed = 2}).digest);
}

// The checks only look on.
TEST(RandomWorlds, CheckingChangesNothing) {
  for (std::uint64_t seed = 1; seed <= seeds(); seed += 50) {
    EXPECT_EQ(try_world({.seed = seed, .check = false}).digest, try_world({.seed = seed}).digest);
  }
}

// A scheduler that is written down and read back goes on as if nothing had been, whatever was under
// way. (Some of the worlds above do that, too.)
TEST(RandomWorlds, RestoringChangesNothing) {
  for (std::uint64_t seed = 3; seed <= seeds(); seed += 20) {
    const Trial restored = expect_right({.seed = seed, .restores = 300});
    const Trial alone = try_world({.seed = seed, .check = false, .restores = 0});
    EXPECT_EQ(restored.digest, alone.digest) << "seed " << seed;
    EXPECT_EQ(restored.actions, alone.actions) << "seed " << seed;
  }
}

// Events that make no sense are counted (the checks see to that) and change nothing: without them
// the core decides the same.
TEST(RandomWorlds, NonsenseChangesNothing) {
  std::uint64_t told = 0;
  for (std::uint64_t seed = 1; seed <= seeds(); seed += 5) {
    const Trial noisy = expect_right({.seed = seed});
    std::uint64_t nonsense = 0;
    for (const std::uint64_t count : noisy.result.senseless) nonsense += count;
    if (nonsense == 0) continue;
    told += nonsense;
    EXPECT_EQ(noisy.digest, try_world({.seed = seed, .noise = false}).digest) << "seed " << seed;
  }
  EXPECT_GT(told, 0u);
  // A few worlds may be quiet ones.
  if (seeds() < kAllSeeds) return;
  EXPECT_GT(told, seeds() * 10);
}

}  // namespace
}  // namespace sluice::sim
