#include "sim/traffic.h"

#include <algorithm>

#include "base/random.h"

namespace sluice::sim {
namespace {

bool later(const Request& a, const Request& b) {
  return a.at != b.at ? a.at > b.at : a.stream > b.stream;
}

}  // namespace

Traffic::Traffic(const Scenario& scenario, std::uint64_t seed) {
  Random seeds(seed);
  sources_.reserve(scenario.streams.size());
  for (std::size_t i = 0; i < scenario.streams.size(); ++i) {
    sources_.emplace_back(scenario.streams[i], i, seeds.next());
    if (const auto first = sources_.back().next()) heads_.push_back(*first);
  }
  std::make_heap(heads_.begin(), heads_.end(), later);
}

std::optional<Request> Traffic::next() {
  if (heads_.empty()) return std::nullopt;
  const Request earliest = heads_.front();
  std::pop_heap(heads_.begin(), heads_.end(), later);
  if (const auto next = sources_[earliest.stream].next()) {
    heads_.back() = *next;
    std::push_heap(heads_.begin(), heads_.end(), later);
  } else {
    heads_.pop_back();
  }
  return earliest;
}

}  // namespace sluice::sim
