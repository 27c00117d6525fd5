#include "sim/checks/fair_group.h"

namespace sluice::sim {

void FairGroup::set_competes(std::size_t tenant, bool competes) {
  const bool begins = competes && !shares_[tenant].competes;
  shares_[tenant].competes = competes;
  if (!begins) return;
  for (std::size_t other = 0; other < shares_.size(); ++other) {
    const double now = shares_[tenant].served_ns - shares_[other].served_ns;
    differences_[tenant * shares_.size() + other] = now;
    differences_[other * shares_.size() + tenant] = -now;
  }
}

}  // namespace sluice::sim
