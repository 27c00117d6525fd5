// Active health checks of the configured replicas.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "core/event.h"
#include "probe/health_target.h"

namespace sluice::probe {

// Checks every target at once, and from then on once an interval each. What was found goes to the
// callback after every check; what changed, to the log. O(targets) memory, a few KiB each.
class HealthChecks {
 public:
  // Called on the io_context's thread; `loaded` as in CheckResult, nullptr where it is absent.
  using Report =
      std::function<void(const core::NodeReport&, const std::vector<std::string>* loaded)>;

  // Starts when `io` runs; `io` must outlive this and is run by one thread.
  HealthChecks(boost::asio::io_context& io, const std::vector<HealthTarget>& targets,
               const config::HealthCheckOptions& options, const Report& report);
  // As stop().
  ~HealthChecks();
  HealthChecks(const HealthChecks&) = delete;
  HealthChecks& operator=(const HealthChecks&) = delete;

  // Ends all checks; nothing is reported afterwards. On the io_context's thread, or while nobody
  // runs it. Again: nothing happens.
  void stop();

 private:
  class Watch;
  // Shared with their coroutines, which end after stop(), when the io_context next runs.
  std::vector<std::shared_ptr<Watch>> watches_;
};

}  // namespace sluice::probe
