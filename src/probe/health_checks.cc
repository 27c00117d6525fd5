#include "probe/health_checks.h"

#include <random>
#include <utility>

#include <spdlog/spdlog.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/random.h"
#include "probe/health_client.h"
#include "probe/health_state.h"

namespace sluice::probe {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

// Several gateways, and the checks of one, should not fall into step.
constexpr double kJitter = 0.1;

Duration jittered(Duration interval, Random& random) {
  return from_seconds(to_seconds(interval) * random.uniform(1 - kJitter, 1 + kJitter));
}

std::uint64_t any_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

class HealthChecks::Watch {
 public:
  Watch(asio::io_context& io, HealthTarget target, const config::HealthCheckOptions& options,
        Report report)
      : target_(std::move(target)),
        interval_(options.interval),
        report_(std::move(report)),
        client_(io, target_, options.timeout),
        state_(options.healthy_after, options.unhealthy_after),
        timer_(io),
        random_(any_seed()) {}

  static asio::awaitable<void> run(std::shared_ptr<Watch> self);

  void stop() {
    stopped_ = true;
    client_.close();
    timer_.cancel();
  }

 private:
  void conclude(const CheckResult& result);
  void tell_of_index(const CheckResult& result);

  const HealthTarget target_;
  const Duration interval_;
  Report report_;
  HealthClient client_;
  HealthState state_;
  asio::steady_timer timer_;
  Random random_;
  bool index_fails_ = false;
  bool stopped_ = false;
};

asio::awaitable<void> HealthChecks::Watch::run(std::shared_ptr<Watch> self) {
  while (!self->stopped_) {
    const auto start = steady_clock::now();
    const auto result = co_await self->client_.check();
    if (self->stopped_) co_return;
    self->conclude(result);
    if (self->stopped_) co_return;
    self->timer_.expires_at(start + jittered(self->interval_, self->random_));
    boost::system::error_code ignored;
    co_await self->timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
}

void HealthChecks::Watch::conclude(const CheckResult& result) {
  const bool passed = result.round_trip.has_value();
  if (state_.observe(passed)) {
    if (passed) {
      spdlog::info("replica {} ({}:{}) is ready", target_.name, target_.address.host,
                   target_.address.port);
    } else {
      spdlog::warn("replica {} ({}:{}) is not ready: GET {}: {}", target_.name,
                   target_.address.host, target_.address.port, target_.path, result.failure);
    }
  }
  tell_of_index(result);
  report_({.node = target_.node, .ready = state_.ready(), .round_trip = result.round_trip},
          result.loaded ? &*result.loaded : nullptr);
}

// Without an index models are thought to be where they were put: not known are those that were
// there before, or have gone by themselves.
void HealthChecks::Watch::tell_of_index(const CheckResult& result) {
  const bool fails = !result.index_failure.empty();
  if (fails && !index_fails_) {
    spdlog::warn("replica {} does not say which models it has loaded: {}", target_.name,
                 result.index_failure);
  }
  if (fails || result.loaded) index_fails_ = fails;
}

HealthChecks::HealthChecks(asio::io_context& io, const std::vector<HealthTarget>& targets,
                           const config::HealthCheckOptions& options, const Report& report) {
  for (const auto& target : targets) {
    auto watch = std::make_shared<Watch>(io, target, options, report);
    asio::co_spawn(io, Watch::run(watch), asio::detached);
    watches_.push_back(std::move(watch));
  }
}

HealthChecks::~HealthChecks() {
  stop();
}

void HealthChecks::stop() {
  for (const auto& watch : watches_) watch->stop();
  watches_.clear();
}

}  // namespace sluice::probe
