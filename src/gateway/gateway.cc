#include "gateway/gateway.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/spdlog.h>
#include <boost/asio/signal_set.hpp>

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

// How long a scrape, a health check's answer or a signal may lie unseen.
constexpr Duration kAsioEvery = std::chrono::milliseconds(5);

}  // namespace

class Gateway::Impl {
 public:
  explicit Impl(config::ServeConfig config)
      : config_(std::move(config)),
        context_(config_),
        board_(context_),
        listener_(std::make_shared<Listener>(board_, config_.http)),
        admin_(context_.io, resolve(context_.io, config_.admin),
               {.metrics = [this] { return board_.metrics().expose(); },
                .why_not_ready = [this] { return why_not_ready(); }}),
        probe_(context_.io, probe::health_targets(config_), config_.health,
               [this](const core::NodeReport& report, const std::vector<std::string>* loaded) {
                 board_.report(report, loaded);
               }),
        signals_(context_.io, SIGTERM, SIGINT) {}

  bool run();

  const Listener& listener() const { return *listener_; }
  const AdminServer& admin() const { return admin_; }

 private:
  std::string why_not_ready() const;
  void wait_for_signal();
  void begin_drain();
  void sweep(TimePoint now);
  void stop(bool clean);
  void wake_core(TimePoint now);
  void serve_asio(TimePoint now, bool idle);
  Duration until_next() const;

  config::ServeConfig config_;
  Context context_;
  Switchboard board_;
  std::shared_ptr<Listener> listener_;
  AdminServer admin_;
  probe::HealthChecks probe_;
  asio::signal_set signals_;
  TimePoint next_sweep_{};
  TimePoint next_asio_{};
  TimePoint drain_ends_ = kNever;
  bool stopped_ = false;
  bool clean_ = true;
};

bool Gateway::Impl::run() {
  listener_->start();
  wait_for_signal();
  while (!stopped_) {
    const Duration at_most = until_next();
    context_.clock.turn();  // before the handlers that wait() calls: they ask for the time
    const bool idle = context_.poller.wait(at_most) == 0;
    const TimePoint now = context_.clock.now();
    serve_asio(now, idle);
    if (now >= next_sweep_) sweep(now);
    wake_core(now);
    board_.flush();
  }
  context_.roster.cut_off_all();
  context_.io.poll();
  return clean_;
}

Duration Gateway::Impl::until_next() const {
  const TimePoint next = std::min({next_asio_, next_sweep_, board_.scheduler().next_wakeup()});
  return std::max(next - context_.clock.last(), Duration::zero());
}

// Admin, probe and signals: when there is nothing else to do, and now and then in any case.
void Gateway::Impl::serve_asio(TimePoint now, bool idle) {
  if (!idle && now < next_asio_) return;
  next_asio_ = now + kAsioEvery;
  context_.io.poll();
}

void Gateway::Impl::wake_core(TimePoint now) {
  if (board_.scheduler().next_wakeup() <= now) board_.post(core::Tick{});
}

std::string Gateway::Impl::why_not_ready() const {
  if (context_.draining) return "draining: finishing accepted requests, taking no new ones";
  if (!board_.any_replica_ready()) return "no replica is ready";
  return {};
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
  listener_->stop();
  for (Timed* member : context_.roster.members()) {
    auto* caller = dynamic_cast<Caller*>(member);
    if (caller != nullptr && caller->idle()) caller->limit(now + kIdleGrace);
  }
}

void Gateway::Impl::sweep(TimePoint now) {
  next_sweep_ = now + Roster::kSweepEvery;
  context_.roster.sweep(now);
  if (!context_.draining) return listener_->resume();
  const bool done = context_.open_callers == 0;
  if (done || now >= drain_ends_) stop(done);
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
  board_.stop_orders();
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
