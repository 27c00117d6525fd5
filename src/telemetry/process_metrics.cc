#include "telemetry/process_metrics.h"

#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <optional>
#include <utility>

#include "telemetry/version.h"

namespace sluice::telemetry {

namespace {

std::optional<double> cpu_seconds() {
  timespec spent{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent) != 0) return std::nullopt;
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
}

std::optional<double> resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double total_pages = 0;
  double resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return std::nullopt;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// From Linux 6.2 on the folder's size is the number of descriptors; before, it is 0, and reading
// the folder would stop the event loop for milliseconds when thousands are open.
std::optional<double> open_fds() {
  struct stat folder {};
  if (stat("/proc/self/fd", &folder) != 0 || folder.st_size == 0) return std::nullopt;
  return static_cast<double>(folder.st_size);
}

void add_if_known(const MetricDefinition& definition, std::optional<double> value,
                  Families& families) {
  if (!value) return;
  auto family = family_of(definition);
  add_value(family, definition, {}, *value);
  families.push_back(std::move(family));
}

}  // namespace

void collect_process(Families& families) {
  auto build = family_of(kBuildInfo);
  add_value(build, kBuildInfo, {version()}, 1);
  families.push_back(std::move(build));
  add_if_known(kProcessCpuSeconds, cpu_seconds(), families);
  add_if_known(kProcessResidentBytes, resident_bytes(), families);
  add_if_known(kProcessOpenFds, open_fds(), families);
}

}  // namespace sluice::telemetry
