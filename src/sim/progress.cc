#include "sim/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

namespace sluice::sim {
namespace {

constexpr Duration kEveryOnTerminal = std::chrono::milliseconds(200);
constexpr Duration kEveryElsewhere = std::chrono::seconds(5);

Duration thread_cpu() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + Duration(now.tv_nsec);
}

double per_second(std::uint64_t count, Duration span) {
  return static_cast<double>(count) / std::max(to_seconds(span), 1e-9);
}

}  // namespace

std::string progress_line(const Progress& progress, Duration cpu, Duration elapsed) {
  const double done = to_seconds(progress.simulated);
  const double whole = to_seconds(progress.whole);
  // By the speed so far; the rush that is still to come takes longer.
  const double to_go = done > 0 ? to_seconds(elapsed) * std::max(whole - done, 0.0) / done : 0;
  return fmt::format(
      "{:.0f} of {:.0f} s simulated, {} requests, {:.0f}k per CPU second, {:.0f} s "
      "to go",
      done, whole, progress.requests, per_second(progress.requests, cpu) / 1000, to_go);
}

ProgressPrinter::ProgressPrinter(std::FILE* out, std::string what)
    : out_(out),
      what_(std::move(what)),
      is_terminal_(isatty(fileno(out)) == 1),
      cpu_begin_(thread_cpu()),
      next_(is_terminal_ ? kEveryOnTerminal : kEveryElsewhere) {}

Duration ProgressPrinter::elapsed() const {
  return std::chrono::steady_clock::now() - begin_;
}
Duration ProgressPrinter::cpu() const {
  return thread_cpu() - cpu_begin_;
}

void ProgressPrinter::show(const Progress& progress) {
  const Duration now = elapsed();
  if (now < next_) return;
  next_ = now + (is_terminal_ ? kEveryOnTerminal : kEveryElsewhere);
  const std::string line = what_ + ": " + progress_line(progress, cpu(), now);
  // \r and "erase to end of line": the line stays one line.
  fmt::print(out_, "{}", is_terminal_ ? "\r\033[K" + line : line + "\n");
  std::fflush(out_);
}

void ProgressPrinter::finish(std::uint64_t requests) {
  fmt::print(out_, "{}{}: {} requests in {:.1f} CPU seconds, {:.0f}k per CPU second\n",
             is_terminal_ ? "\r\033[K" : "", what_, requests, to_seconds(cpu()),
             per_second(requests, cpu()) / 1000);
  std::fflush(out_);
}

}  // namespace sluice::sim
