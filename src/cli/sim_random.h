// sluice sim --random-seed: worlds drawn at random, under all checks.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::cli {

struct RandomArguments {
  std::uint64_t seed = 0;
  std::uint64_t seeds = 1;
  std::uint64_t tasks = 1500;
  bool check = false;
  std::string json;  // file to write the figures to as well; empty: none
};

// A line a seed and a summary; throws at the first violation, with the line that replays it.
void run_random(const RandomArguments& arguments);

}  // namespace sluice::cli
