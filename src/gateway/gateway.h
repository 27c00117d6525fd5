// The gateway, whole: listeners, scheduler, replicas, probe, on one thread.
#pragma once

#include <functional>
#include <memory>

#include <boost/asio/ip/tcp.hpp>

#include "config/serve_config.h"
#include "core/counters.h"

namespace sluice::gateway {

class Gateway {
 public:
  // Listens from here on. Throws boost::system::system_error when an address cannot be had.
  explicit Gateway(config::ServeConfig config);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  boost::asio::ip::tcp::endpoint http_endpoint() const;
  boost::asio::ip::tcp::endpoint admin_endpoint() const;

  // Serves until drained. SIGTERM and SIGINT drain: no new connections, what was accepted is
  // finished, then this returns; a second signal, or the drain timeout, cuts what is left. True:
  // nothing was cut.
  bool run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::gateway
