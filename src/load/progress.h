// Says while a run lasts how it goes.
#pragma once

#include <cstdio>
#include <string>

#include "load/runner.h"

namespace sluice::load {

// "  12 s of 40 s  sent 1200, in flight 35; in budget: high 99.2%, low 80.1%", without a newline.
std::string progress_line(const Progress& progress);

// Rewrites one line on a terminal; elsewhere (a log, a pipe) writes a line now and then.
class ProgressPrinter {
 public:
  explicit ProgressPrinter(std::FILE* out);

  // How often it likes to be called.
  Duration interval() const;
  void show(const Progress& progress);
  // Leaves the cursor at the start of an empty line.
  void finish();

 private:
  std::FILE* out_;
  bool is_terminal_;
};

}  // namespace sluice::load
