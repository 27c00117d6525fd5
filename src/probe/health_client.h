// One replica's health endpoint, asked over a connection that is kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "base/time.h"
#include "probe/health_target.h"
#include "probe/http_client.h"

namespace sluice::probe {

struct CheckResult {
  // The way there and back, without the time that the replica took. Absent: not passed.
  std::optional<Duration> round_trip;
  // Why not, for a log line; empty when passed.
  std::string failure;
  // Of a target whose models come and go: names of those that it has loaded, ascending. Absent
  // where it would not say, with why.
  std::optional<std::vector<std::string>> loaded;
  std::string index_failure;
};

// Ends within the timeout, twice that where models are asked for; see HttpClient.
class HealthClient {
 public:
  // `target` must outlive this. `timeout`: of a whole check, connecting included.
  HealthClient(boost::asio::io_context& io, const HealthTarget& target, Duration timeout);

  // One at a time; the client must live until it has returned.
  boost::asio::awaitable<CheckResult> check();

  // Ends a running check, which then fails; the client is of no more use.
  void close() { client_.close(); }

 private:
  boost::asio::awaitable<void> ask_for_models(CheckResult& result);

  HttpClient client_;
  const HealthTarget& target_;
  Duration timeout_;
};

}  // namespace sluice::probe
