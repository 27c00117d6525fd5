// All promises of the core, checked after each event.
#pragma once

#include <memory>
#include <vector>

#include "core/options.h"
#include "sim/checks/check.h"
#include "sim/checks/mirror.h"
#include "sim/observer.h"
#include "sim/scenario.h"

namespace sluice::sim {

// An action that names what does not exist is a finding too, and the last: whatever is held against
// it would look in the wrong place. Some microseconds a request, whatever waits; memory grows with
// what is open at one time.
class Checks : public Observer {
 public:
  // What is found goes to `findings`, which must outlive this.
  Checks(const Scenario& scenario, const core::Options& options, Findings& findings);
  // These, instead of all.
  Checks(const core::Options& options, std::vector<std::unique_ptr<Check>> checks,
         Findings& findings);

  void after(const Step& step) override;
  // The run is over: the event is of no consequence.
  void at_end(const Step& step);

 private:
  Mirror mirror_;
  std::vector<std::unique_ptr<Check>> checks_;
  Findings& findings_;
  bool lost_ = false;
};

}  // namespace sluice::sim
