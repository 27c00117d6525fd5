// Says while a simulation lasts how it goes.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "base/time.h"
#include "sim/simulation.h"

namespace sluice::sim {

// "120 of 930 s simulated, 310000 requests, 612k per CPU second, 9 s to go".
std::string progress_line(const Progress& progress, Duration cpu, Duration elapsed);

// Rewrites one line on a terminal; elsewhere (a log, a pipe) writes a line every few seconds.
class ProgressPrinter {
 public:
  // `what` begins each line: policy and seed.
  ProgressPrinter(std::FILE* out, std::string what);

  // May be called as often as one likes.
  void show(const Progress& progress);
  // Ends with a line of what it took.
  void finish(std::uint64_t requests);

 private:
  Duration elapsed() const;
  Duration cpu() const;

  std::FILE* out_;
  std::string what_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Duration cpu_begin_;
  Duration next_;  // since begin_: when there is something to say again
};

}  // namespace sluice::sim
