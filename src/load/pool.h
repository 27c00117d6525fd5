// The connections of all callers: grown as needed up to a bound, the last one used taken first,
// so that a quiet system keeps few.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "load/connection.h"
#include "load/scenario.h"

namespace sluice::load {

// One request to be made.
struct Job {
  std::string_view message;  // outlives the job
  Clock::time_point give_up_at;
  std::function<void(const Exchange&)> done;  // called exactly once
};

// Single threaded. Must outlive its jobs: the owner waits for the last done() before it goes.
class Pool {
 public:
  Pool(boost::asio::any_io_executor executor, const Endpoint& endpoint, const Callers& callers);

  // Starts the job, or keeps it until a connection is free, or drops it at once, as the callers
  // do. Jobs that wait are started in the order they came; each gives up in time, so no more of
  // them wait than come within a time-out.
  void start(Job job);

  // Jobs that found every connection busy: from the first on, the bound shapes the load.
  std::size_t waited() const { return waited_; }

 private:
  boost::asio::awaitable<void> serve(std::unique_ptr<Connection> connection, Job job);
  bool take_waiting(Job& job);

  boost::asio::any_io_executor executor_;
  Endpoint endpoint_;
  std::size_t limit_;
  WhenBusy when_busy_;
  std::size_t connections_ = 0;
  std::size_t waited_ = 0;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::deque<Job> waiting_;
};

}  // namespace sluice::load
