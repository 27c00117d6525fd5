// Residency that is told one thing after the other, and says in short words what it ordered.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/placement/residency.h"

namespace sluice::core {

// The first so many.
template <class Id>
std::vector<Id> numbered(std::uint32_t count) {
  std::vector<Id> ids;
  for (std::uint32_t i = 0; i < count; ++i) ids.push_back({i});
  return ids;
}

// Models of 4 bytes each, all on all of the nodes of 10 bytes, which are managed.
inline Options managed_options(std::uint32_t models, std::uint32_t nodes) {
  Options options;
  options.task_types = {"image"};
  options.models.resize(models, {.task_type = TaskTypeId{0}, .memory_bytes = 4});
  options.nodes.resize(nodes,
                       {.models = numbered<ModelId>(models), .managed = true, .memory_bytes = 10});
  return options;
}

// One that tasks of the lane have.
inline Priority priority_in(Lane lane) {
  return static_cast<Priority>(4 * static_cast<int>(lane));
}

class SteppedResidency {
 public:
  // "load 0 at 1", "unload 0 at 1": model and node.
  using Said = std::vector<std::string>;

  explicit SteppedResidency(Options options)
      : options_(std::move(options)), eligibility_(options_), residency_(options_, eligibility_) {
    for (std::uint32_t n = 0; n < options_.nodes.size(); ++n) {
      residency_.set_ready({n}, true, now_);
    }
    said();
  }

  Said said() {
    residency_.step(now_);
    residency_.check();
    Said words;
    for (const ResidencyOrder& o : std::exchange(residency_.orders(), {})) {
      words.push_back((o.load ? "load " : "unload ") + std::to_string(o.model.value) + " at " +
                      std::to_string(o.node.value));
    }
    for (const ResidencyChange& c : std::exchange(residency_.changes(), {})) changes_.push_back(c);
    return words;
  }
  Said wait_for(std::uint32_t model, Lane lane = Lane::kLow, Duration work = Duration(1)) {
    residency_.arrived({model}, lane, priority_in(lane), now_);
    residency_.entered({model}, lane, priority_in(lane), work, now_);
    return said();
  }
  Said leave(std::uint32_t model, Lane lane = Lane::kLow, Duration work = Duration(1)) {
    residency_.left({model}, lane, priority_in(lane), work);
    return said();
  }
  Said loaded(std::uint32_t model, std::uint32_t node, bool ok = true) {
    last_known_ = residency_.loaded({node}, {model}, ok, now_);
    return said();
  }
  Said unloaded(std::uint32_t model, std::uint32_t node, bool ok = true) {
    last_known_ = residency_.unloaded({node}, {model}, ok, now_);
    return said();
  }
  Said report(std::uint32_t node, bool ready) {
    residency_.set_ready({node}, ready, now_);
    return said();
  }
  Said found(std::uint32_t node, const std::vector<ModelId>& models) {
    residency_.found({node}, models, now_);
    return said();
  }
  // It is found to be loaded there.
  void bring_up(std::uint32_t model, std::uint32_t node) { loaded(model, node); }
  Said begin(std::uint32_t model, std::uint32_t node) {
    residency_.began(eligibility_.replica({model}, {node}));
    return said();
  }
  Said end(std::uint32_t model, std::uint32_t node) {
    residency_.ended(eligibility_.replica({model}, {node}), now_);
    return said();
  }
  Said advance(Duration by) {
    const TimePoint until = now_ + by;
    Said all;
    while (residency_.next_due() <= until) {
      now_ = std::max(now_, residency_.next_due());
      for (std::string& word : said()) all.push_back(std::move(word));
    }
    now_ = until;
    return all;
  }

  ResidencyState state(std::uint32_t model, std::uint32_t node) const {
    return residency_.state({node}, {model});
  }
  bool last_known() const { return last_known_; }
  const std::vector<ResidencyChange>& changes() const { return changes_; }
  Residency& residency() { return residency_; }
  TimePoint now() const { return now_; }

 private:
  Options options_;
  Eligibility eligibility_;
  Residency residency_;
  TimePoint now_{std::chrono::seconds(1000)};
  bool last_known_ = true;
  std::vector<ResidencyChange> changes_;
};

}  // namespace sluice::core
