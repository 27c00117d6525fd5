#include "gateway/gateway.h"

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/spdlog.h>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "gateway/admin.h"
#include "gateway/caller.h"
#include "gateway/listener.h"
#include "gateway/switchboard.h"
#include "probe/health_checks.h"
#include "probe/health_target.h"

namespace sluice::gateway {
namespace {

namespace asio = boost::asio;

asio::ip::tcp::endpoint resolve(asio::io_context& io, const config::Address& address) {
  asio::ip::tcp::resolver resolver(io);
  return resolver
      .resolve(address.host, std::to_string(address.port), asio::ip::resolver_base::passive)
      .begin()
      ->endpoint();
}

// An idle caller's next request may be on its way when the drain begins: it is served for so long.
constexpr Duration kIdleGrace = std::chrono::milliseconds(500);

}  // namespace

class Gateway::Impl {
 public:
  explicit Impl(config::ServeConfig config)
      : config_(std::move(config)),
        context_(config_),
        board_(context_),
        listener_(board_, config_.http),
        admin_(context_.io, resolve(context_.io, config_.admin),
               {.metrics = [this] { return board_.metrics().expose(); },
                .why_not_ready = [this] { return why_not_ready(); }}),
        probe_(context_.io, probe::health_targets(config_), config_.health,
               [this](const core::NodeReport& report) { board_.post(report); }),
        signals_(context_.io, SIGTERM, SIGINT),
        wakeup_timer_(context_.io),
        sweep_timer_(context_.io) {}

  bool run();

  const Listener& listener() const { return listener_; }
  const AdminServer& admin() const { return admin_; }

 private:
  std::string why_not_ready() const;
  void wait_for_signal();
  void begin_drain();
  void sweep();
  void stop(bool clean);
  // One timer for the core: moved only when the core wants to be woken earlier than it is set to.
  void arm_wakeup();

  config::ServeConfig config_;
  Context context_;
  Switchboard board_;
  Listener listener_;
  AdminServer admin_;
  probe::HealthChecks probe_;
  asio::signal_set signals_;
  asio::steady_timer wakeup_timer_;
  asio::steady_timer sweep_timer_;
  TimePoint wakeup_ = kNever;
  TimePoint drain_ends_ = kNever;
  bool stopped_ = false;
  bool clean_ = true;
};

bool Gateway::Impl::run() {
  listener_.start();
  wait_for_signal();
  sweep();
  while (!stopped_) {
    context_.io.run_one();
    board_.flush();
    arm_wakeup();
    context_.clock.turn();
  }
  // Handlers refer to what is destroyed before the io_context: they run out here.
  board_.roster().cut_off_all();
  wakeup_timer_.cancel();
  context_.io.poll();
  return clean_;
}

std::string Gateway::Impl::why_not_ready() const {
  if (context_.draining) return "draining: finishing accepted requests, taking no new ones";
  if (!board_.any_replica_ready()) return "no replica is ready";
  return {};
}

void Gateway::Impl::arm_wakeup() {
  const TimePoint wanted = board_.scheduler().next_wakeup();
  if (wanted >= wakeup_) return;
  wakeup_ = wanted;
  wakeup_timer_.expires_at(std::chrono::steady_clock::time_point(wanted.time_since_epoch()));
  wakeup_timer_.async_wait([this](const ErrorCode& error) {
    if (error) return;
    wakeup_ = kNever;
    board_.post(core::Tick{});
  });
}

void Gateway::Impl::wait_for_signal() {
  signals_.async_wait([this](const ErrorCode& error, int) {
    if (error) return;
    if (context_.draining) return stop(false);
    begin_drain();
    wait_for_signal();
  });
}

void Gateway::Impl::begin_drain() {
  const core::Counters& counters = board_.scheduler().counters();
  spdlog::info("draining: {} connections, {} requests waiting, {} running", context_.open_callers,
               counters.waiting, counters.running);
  context_.draining = true;
  const TimePoint now = context_.clock.now();
  drain_ends_ = now + config_.limits.drain_timeout;
  listener_.stop();
  for (Timed* member : board_.roster().members()) {
    auto* caller = dynamic_cast<Caller*>(member);
    if (caller != nullptr && caller->idle()) caller->limit(now + kIdleGrace);
  }
}

void Gateway::Impl::sweep() {
  const TimePoint now = context_.clock.now();
  board_.roster().sweep(now);
  if (context_.draining) {
    const bool done = context_.open_callers == 0;
    if (done || now >= drain_ends_) return stop(done);
  }
  sweep_timer_.expires_after(Roster::kSweepEvery);
  sweep_timer_.async_wait([this](const ErrorCode& error) {
    if (!error) sweep();
  });
}

void Gateway::Impl::stop(bool clean) {
  clean_ = clean;
  stopped_ = true;
  if (clean) {
    spdlog::info("drained: every accepted request was answered");
  } else {
    spdlog::warn("stopped before all was answered: {} connections cut", context_.open_callers);
  }
  probe_.stop();
  admin_.stop();
  board_.close_idle();
}

Gateway::Gateway(config::ServeConfig config) : impl_(std::make_unique<Impl>(std::move(config))) {}
Gateway::~Gateway() = default;

asio::ip::tcp::endpoint Gateway::http_endpoint() const {
  return impl_->listener().local_endpoint();
}
asio::ip::tcp::endpoint Gateway::admin_endpoint() const {
  return impl_->admin().local_endpoint();
}
bool Gateway::run() {
  return impl_->run();
}

}  // namespace sluice::gateway
