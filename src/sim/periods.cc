#include "sim/periods.h"

#include <algorithm>

namespace sluice::sim {
namespace {

std::string name_of(const Scenario& scenario, const Stream& stream, const workload::Phase& phase) {
  if (scenario.streams.size() == 1) return phase.name;
  return stream.phases.size() == 1 ? stream.name : stream.name + "/" + phase.name;
}

// Meant at this instant, from this stream.
double rate_at(const Stream& stream, Duration at) {
  Duration begin{0};
  for (const workload::Phase& phase : stream.phases) {
    if (at < begin + phase.duration) {
      const double share = to_seconds(at - begin) / to_seconds(phase.duration);
      return phase.rate_from_rps + share * (phase.rate_to_rps - phase.rate_from_rps);
    }
    begin += phase.duration;
  }
  return 0;
}

// Rates are linear between borders: the mean is the rate in the middle.
double mean_rate(const Scenario& scenario, Duration begin, Duration end) {
  double sum = 0;
  for (const Stream& stream : scenario.streams) sum += rate_at(stream, begin + (end - begin) / 2);
  return sum;
}

}  // namespace

std::vector<Period> phases_of(const Scenario& scenario) {
  std::vector<Period> periods;
  for (const Stream& stream : scenario.streams) {
    Duration begin{0};
    for (const workload::Phase& phase : stream.phases) {
      periods.push_back({name_of(scenario, stream, phase), begin, begin + phase.duration});
      begin += phase.duration;
    }
  }
  return periods;
}

std::vector<std::size_t> first_phases(const Scenario& scenario) {
  std::vector<std::size_t> first;
  std::size_t count = 0;
  for (const Stream& stream : scenario.streams) {
    first.push_back(count);
    count += stream.phases.size();
  }
  return first;
}

Duration traffic_end(const Scenario& scenario) {
  Duration end{0};
  for (const Period& phase : phases_of(scenario)) end = std::max(end, phase.end);
  return end;
}

Period peak_of(const Scenario& scenario) {
  std::vector<Duration> borders;
  for (const Period& phase : phases_of(scenario)) {
    borders.push_back(phase.begin);
    borders.push_back(phase.end);
  }
  std::sort(borders.begin(), borders.end());
  Period peak{.name = "peak"};
  double highest = -1;
  for (std::size_t i = 1; i < borders.size(); ++i) {
    if (borders[i] == borders[i - 1]) continue;
    const double rate = mean_rate(scenario, borders[i - 1], borders[i]);
    if (rate <= highest) continue;
    highest = rate;
    peak.begin = borders[i - 1];
    peak.end = borders[i];
  }
  return peak;
}

}  // namespace sluice::sim
