#include "load/pool.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

namespace sluice::load {

Pool::Pool(boost::asio::any_io_executor executor, const Endpoint& endpoint, const Callers& callers)
    : executor_(std::move(executor)),
      endpoint_(endpoint),
      limit_(callers.connections),
      when_busy_(callers.when_busy) {}

void Pool::start(Job job) {
  std::unique_ptr<Connection> connection;
  if (!idle_.empty()) {
    connection = std::move(idle_.back());
    idle_.pop_back();
  } else if (connections_ < limit_) {
    connection = std::make_unique<Connection>(executor_, endpoint_);
    ++connections_;
  } else if (when_busy_ == WhenBusy::kDrop) {
    job.done({.fate = Exchange::Fate::kDropped, .answer = {}});
    return;
  } else {
    ++waited_;
    waiting_.push_back(std::move(job));
    return;
  }
  boost::asio::co_spawn(executor_, serve(std::move(connection), std::move(job)),
                        boost::asio::detached);
}

boost::asio::awaitable<void> Pool::serve(std::unique_ptr<Connection> connection, Job job) {
  do {
    job.done(co_await connection->exchange(job.message, job.give_up_at));
  } while (take_waiting(job));
  idle_.push_back(std::move(connection));
}

// The next waiting job. Those whose callers have given up meanwhile end here, unsent.
bool Pool::take_waiting(Job& job) {
  while (!waiting_.empty()) {
    job = std::move(waiting_.front());
    waiting_.pop_front();
    if (Clock::now() < job.give_up_at) return true;
    job.done({.fate = Exchange::Fate::kGaveUp, .answer = {}});
  }
  return false;
}

}  // namespace sluice::load
