// One replica's health endpoint, asked over a connection that is kept.
#pragma once

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include "base/time.h"
#include "probe/health_target.h"

namespace sluice::probe {

struct CheckResult {
  // The way there and back, without the time that the replica took. Absent: not passed.
  std::optional<Duration> round_trip;
  // Why not, for a log line; empty when passed.
  std::string failure;
};

// A client that nothing on the other side can hurt: whatever is sent or not sent, a check ends
// within the timeout and takes at most 8 KiB of head and 64 KiB of body.
class HealthClient {
 public:
  // `target` must outlive this. `timeout`: of a whole check, connecting included.
  HealthClient(boost::asio::io_context& io, const HealthTarget& target, Duration timeout);

  // One at a time; the client must live until it has returned.
  boost::asio::awaitable<CheckResult> check();

  // Ends a running check, which then fails; the client is of no more use.
  void close();

 private:
  boost::asio::awaitable<boost::system::error_code> connect();
  // Absent: the connection was closed before a byte of an answer came.
  boost::asio::awaitable<std::optional<CheckResult>> exchange();
  CheckResult dropped(const char* doing, boost::system::error_code error);
  void disconnect();

  boost::beast::tcp_stream stream_;
  const HealthTarget& target_;
  Duration timeout_;
  bool connected_ = false;
  bool closed_ = false;
};

}  // namespace sluice::probe
