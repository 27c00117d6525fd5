#include "load/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/random.h"
#include "load/connection.h"
#include "load/message.h"
#include "load/pool.h"
#include "workload/traffic.h"

namespace sluice::load {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using workload::Arrival;
using workload::RequestClass;

constexpr std::uint64_t kCallerStream = 0x63616c6c65720000ULL;
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

// One connection made and closed: a wrong address is told before the run, not after it.
Endpoint reach(asio::io_context& io, const Target& target) {
  boost::system::error_code error;
  const auto found = asio::ip::tcp::resolver(io).resolve(target.host, target.port, error);
  if (error) {
    throw std::runtime_error(
        fmt::format("cannot resolve {}: {}", target.authority(), error.message()));
  }
  for (const auto& candidate : found) {
    asio::ip::tcp::socket socket(io);
    socket.connect(candidate.endpoint(), error);
    if (!error) return candidate.endpoint();
  }
  throw std::runtime_error(fmt::format("cannot connect to {}: {}. Is a server running there?",
                                       target.authority(), error.message()));
}

class Runner {
 public:
  Runner(const Scenario& scenario, const Target& target, const RunOptions& options)
      : scenario_(scenario),
        options_(options),
        pool_(io_.get_executor(), reach(io_, target), scenario.callers),
        traffic_(scenario.process, scenario.curve, workload::Mix(scenario.classes), options.seed),
        caller_random_(options.seed ^ kCallerStream),
        recorder_(options.policy, options.seed, scenario.curve),
        progress_timer_(io_) {
    for (const RequestClass& c : scenario.classes) messages_.push_back(messages_of(target, c));
    recorder_.run().generator_late.emplace();
  }

  RunResult run() {
    start_ = Clock::now();
    asio::co_spawn(io_, send_all(), asio::detached);
    if (options_.on_progress) asio::co_spawn(io_, report_progress(), asio::detached);
    io_.run();
    return {.run = std::move(recorder_.run()), .waited_for_connection = pool_.waited()};
  }

 private:
  awaitable<void> send_all() {
    asio::steady_timer timer(io_);
    while (const auto arrival = traffic_.next()) {
      // Awaited also when it is late: a generator that has fallen behind must go on reading.
      timer.expires_at(start_ + arrival->at);
      co_await timer.async_wait(kTuple);
      send(*arrival);
    }
    all_sent_ = true;
    stop_progress_when_over();
  }

  void send(const Arrival& arrival) {
    recorder_.run().generator_late->record(Clock::now() - (start_ + arrival.at));
    ++sent_;
    const bool leaves = caller_random_.uniform() < scenario_.callers.leave_share;
    const auto& messages = messages_[arrival.request_class];
    const auto choice = caller_random_.below(static_cast<std::uint32_t>(messages.size()));
    pool_.start({.message = messages[choice],
                 .give_up_at = start_ + arrival.at + patience(arrival, leaves),
                 .done = [this, arrival, leaves](const Exchange& exchange) {
                   ended(arrival, leaves, exchange);
                 }});
  }

  Duration patience(const Arrival& arrival, bool leaves) {
    if (!leaves) return scenario_.callers.timeout;
    const double budget_s = to_seconds(scenario_.classes[arrival.request_class].budget);
    return std::min(from_seconds(caller_random_.uniform(0, budget_s)), scenario_.callers.timeout);
  }

  void ended(const Arrival& arrival, bool leaves, const Exchange& exchange) {
    const RequestClass& c = scenario_.classes[arrival.request_class];
    const Answer& answer = exchange.answer;
    const Ending ending = ending_of(exchange, leaves);
    recorder_.record({.lane = answer.lane.empty() ? c.lane : answer.lane,
                      .tenant = c.tenant,
                      .model = c.model,
                      .outcome = ending.outcome,
                      .reason = ending.reason,
                      .replica = answer.replica,
                      .phase = arrival.phase,
                      .intended = arrival.at,
                      .latency = Clock::now() - (start_ + arrival.at),
                      .wait = answer.queued,
                      .budget = c.budget,
                      .starved_after = c.starved_after});
    stop_progress_when_over();
  }

  static Ending ending_of(const Exchange& exchange, bool leaves) {
    switch (exchange.fate) {
      case Exchange::Fate::kAnswered:
        return load::ending_of(exchange.answer);
      case Exchange::Fate::kGaveUp:
        return {"cancelled", leaves ? "caller_left" : "client_timeout"};
      case Exchange::Fate::kUnreachable:
        return {"failed", "unreachable"};
      case Exchange::Fate::kDropped:
        return {"failed", "no_connection"};
      case Exchange::Fate::kBroken:
        break;
    }
    return {"failed", "bad_answer"};
  }

  bool over() const { return all_sent_ && recorder_.run().total.offered == sent_; }

  void stop_progress_when_over() {
    if (over()) progress_timer_.cancel();
  }

  awaitable<void> report_progress() {
    while (!over()) {
      progress_timer_.expires_after(options_.progress_every);
      co_await progress_timer_.async_wait(kTuple);
      options_.on_progress({.elapsed = Clock::now() - start_,
                            .duration = scenario_.curve.duration(),
                            .sent = sent_,
                            .so_far = &recorder_.run()});
    }
  }

  const Scenario& scenario_;
  const RunOptions& options_;
  asio::io_context io_{1};  // one thread: the generator shares the machine with what it measures
  Pool pool_;
  workload::Traffic traffic_;
  Random caller_random_;
  workload::RunRecorder recorder_;
  asio::steady_timer progress_timer_;
  std::vector<std::vector<std::string>> messages_;  // by class, then by file
  Clock::time_point start_;
  std::uint64_t sent_ = 0;
  bool all_sent_ = false;
};

}  // namespace

RunResult run(const Scenario& scenario, const Target& target, const RunOptions& options) {
  return Runner(scenario, target, options).run();
}

}  // namespace sluice::load
