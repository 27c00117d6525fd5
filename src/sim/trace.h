// A line of CSV for each simulated request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/periods.h"
#include "sim/scenario.h"
#include "sim/tally.h"

namespace sluice::sim {

// policy, seed, id (by arrival), arrival_s, stream, model, priority, tenant, outcome, reason, node
// (of the last attempt), latency_ms, wait_ms (until it first ran). What is not known stays empty.
// In the order in which requests end. Several runs may go into one file.
class Trace {
 public:
  // Replaces the file. Throws std::runtime_error when it cannot be written, here or below. The
  // scenario must outlive this.
  Trace(std::string path, const Scenario& scenario);

  void begin_run(const std::string& policy, std::uint64_t seed);
  void record(const Ended& ended);
  // All is written. Without it the end may be missing.
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string_view stream_of(std::size_t phase) const;
  void flush();
  [[noreturn]] void fail() const;

  std::string path_;
  const Scenario& scenario_;
  std::vector<std::size_t> first_phases_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string run_;  // the columns that say which
  fmt::memory_buffer buffer_;
};

}  // namespace sluice::sim
