// Tenants that compete for the same nodes in one lane, as the check of fairness counts them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/labels.h"

namespace sluice::sim {

// A tenant's span begins when it comes to compete and ends when it does not for an instant. What a
// pair of tenants is given is counted from when the later of their spans began.
class FairGroup {
 public:
  // Which tasks it is of: those of a class in a lane. Model and priority are those of some of them.
  struct Tasks {
    std::uint32_t klass = 0;
    core::Lane lane = core::Lane::kHigh;
    std::uint32_t model = 0;
    core::Priority accepted_as = 0;
  };
  FairGroup(const Tasks& tasks, std::size_t tenants)
      : tasks_(tasks), shares_(tenants), differences_(tenants * tenants) {}

  const Tasks& tasks() const { return tasks_; }

  void begin_waiting(std::size_t tenant) {
    ++shares_[tenant].waiting;
    ++waiting_;
  }
  // Its span ends with its last one.
  void stop_waiting(std::size_t tenant) {
    --waiting_;
    if (--shares_[tenant].waiting == 0) shares_[tenant].competes = false;
  }
  bool anyone_waits() const { return waiting_ > 0; }
  bool waits(std::size_t tenant) const { return shares_[tenant].waiting > 0; }

  void set_competes(std::size_t tenant, bool competes);
  bool competes(std::size_t tenant) const { return shares_[tenant].competes; }
  std::size_t tenants() const { return shares_.size(); }

  // Device time ÷ weight; may be negative: a correction.
  void serve(std::size_t tenant, double ns) { shares_[tenant].served_ns += ns; }
  // How far the one is ahead of the other since both compete.
  double ahead(std::size_t one, std::size_t other) const {
    return shares_[one].served_ns - shares_[other].served_ns - difference(one, other);
  }

  void note_task(double ns) { largest_ns_ = std::max(largest_ns_, ns); }
  double largest_ns() const { return largest_ns_; }

 private:
  struct Share {
    double served_ns = 0;
    std::uint32_t waiting = 0;
    bool competes = false;
  };

  double difference(std::size_t one, std::size_t other) const {
    return differences_[one * shares_.size() + other];
  }

  Tasks tasks_;
  std::vector<Share> shares_;        // by tenant
  std::vector<double> differences_;  // when both had come to compete: one × tenants + other
  std::uint32_t waiting_ = 0;
  double largest_ns_ = 0;
};

}  // namespace sluice::sim
