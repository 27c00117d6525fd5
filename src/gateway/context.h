// What every connection of one gateway shares.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "config/serve_config.h"
#include "gateway/body_budget.h"
#include "gateway/clock.h"
#include "gateway/directory.h"

namespace sluice::gateway {

// The concrete executor: the type-erased any_io_executor costs an allocation an operation.
using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using ErrorCode = boost::system::error_code;

struct Context {
  explicit Context(const config::ServeConfig& c)
      : config(c), directory(c.core), bodies(c.limits.bodies_in_memory_bytes) {}

  const config::ServeConfig& config;
  Directory directory;
  BodyBudget bodies;
  // One thread runs everything: handlers take no locks inside Asio either.
  boost::asio::io_context io{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
  Clock clock;
  std::uint32_t open_callers = 0;
  // Accepted requests are finished, connections close after them, no new ones are taken.
  bool draining = false;
};

}  // namespace sluice::gateway
