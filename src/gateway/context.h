// What every connection of one gateway shares.
#pragma once

#include <cstdint>

#include <boost/asio/io_context.hpp>

#include "config/serve_config.h"
#include "gateway/body_budget.h"
#include "gateway/clock.h"
#include "gateway/directory.h"
#include "gateway/poller.h"
#include "gateway/roster.h"

namespace sluice::gateway {

using ErrorCode = boost::system::error_code;

struct Context {
  explicit Context(const config::ServeConfig& c)
      : config(c), directory(c.core), bodies(c.limits.bodies_in_memory_bytes) {}

  const config::ServeConfig& config;
  Directory directory;
  BodyBudget bodies;
  // Before what owns connections: they leave it when they die.
  Roster roster;
  // One thread runs everything. Callers and replica connections are polled here ...
  Poller poller;
  // ... and what is not on the way of a request is Asio's.
  boost::asio::io_context io{1};
  Clock clock;
  std::uint32_t open_callers = 0;
  // Accepted requests are finished, connections close after them, no new ones are taken.
  bool draining = false;
};

}  // namespace sluice::gateway
