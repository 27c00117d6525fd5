#include "load/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iterator>

namespace sluice::load {

std::string progress_line(const Progress& progress) {
  const workload::Run& run = *progress.so_far;
  std::string line =
      fmt::format("  {:.0f} s of {:.0f} s  sent {}, in flight {}", to_seconds(progress.elapsed),
                  to_seconds(progress.duration), progress.sent, progress.sent - run.total.offered);
  const char* separator = "; in budget: ";
  for (const auto& [lane, group] : run.lanes) {
    fmt::format_to(std::back_inserter(line), "{}{} {:.1f}%", separator, lane,
                   100 * group.share(group.in_budget).value_or(0));
    separator = ", ";
  }
  return line;
}

ProgressPrinter::ProgressPrinter(std::FILE* out)
    : out_(out), is_terminal_(isatty(fileno(out)) == 1) {}

Duration ProgressPrinter::interval() const {
  return is_terminal_ ? std::chrono::milliseconds(250) : std::chrono::milliseconds(5000);
}

void ProgressPrinter::show(const Progress& progress) {
  const std::string line = progress_line(progress);
  // \r and "erase to end of line": the line stays one line.
  fmt::print(out_, "{}", is_terminal_ ? "\r\033[K" + line : line + "\n");
  std::fflush(out_);
}

void ProgressPrinter::finish() {
  if (is_terminal_) fmt::print(out_, "\r\033[K");
  std::fflush(out_);
}

}  // namespace sluice::load
