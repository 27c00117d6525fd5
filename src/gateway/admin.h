// The admin listener: /metrics, /healthz, /readyz. Apart from the data listeners, so that a scrape
// neither waits behind traffic nor is reachable by callers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/time.h"

namespace sluice::gateway {

// Where the answers come from. Called on the thread of the io_context, one at a time.
struct AdminSources {
  // The text of /metrics (telemetry::Metrics::expose).
  std::function<std::string()> metrics;
  // Why requests cannot be served now, in one sentence; empty when they can. It is the body of the
  // 503 of /readyz.
  std::function<std::string()> why_not_ready;
};

struct AdminLimits {
  // Open at once; what comes beyond is closed at once.
  std::size_t connections = 32;
  // Of a request line and its header fields; beyond: 431.
  std::size_t head_bytes = std::size_t{8} * 1024;
  // To send a whole head (idle time before it included), and to take a whole answer.
  Duration stage = std::chrono::seconds(10);
};

class AdminServer {
 public:
  // Listens from here on. Throws boost::system::system_error, with the address in its text, when it
  // cannot. `io` must outlive this; it is run by one thread.
  AdminServer(boost::asio::io_context& io, const boost::asio::ip::tcp::endpoint& address,
              AdminSources sources, AdminLimits limits = {});
  // As stop().
  ~AdminServer();
  AdminServer(const AdminServer&) = delete;
  AdminServer& operator=(const AdminServer&) = delete;

  // The address with the real port, where 0 was asked for.
  boost::asio::ip::tcp::endpoint local_endpoint() const;

  // Closes the listener and all connections; no source is called afterwards. On the io_context's
  // thread, or while nobody runs it. Again: nothing happens.
  void stop();

 private:
  class Impl;
  // Shared with the sessions: the last of them ends after stop(), when the io_context next runs.
  std::shared_ptr<Impl> impl_;
};

}  // namespace sluice::gateway
