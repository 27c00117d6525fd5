// One replica asked over HTTP, on a connection that is kept: what probes and orders share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include "base/time.h"
#include "config/address.h"

namespace sluice::probe {

struct HttpQuestion {
  enum class Method : std::uint8_t { kGet, kPost };
  Method method = Method::kGet;
  std::string path;  // whole: prefix of the replica included
  std::string body;  // JSON, where there is one
};

struct HttpAnswer {
  unsigned status = 0;  // 0: no answer came
  std::string body;
  // The way there and back, without the time that the replica took.
  Duration round_trip{0};
  // Why there is no answer, for a log line.
  std::string failure;
  // Something of the question may have reached the replica.
  bool sent = false;

  bool success() const { return status >= 200 && status < 300; }
};

// A client that nothing on the other side can hurt: whatever is sent or not sent, it ends within
// the timeout and takes at most 8 KiB of head and 1 MiB of body.
class HttpClient {
 public:
  HttpClient(boost::asio::io_context& io, config::Address address);

  // One at a time; the client must live until it has returned. `timeout`: connecting included.
  // A kept connection that turns out to be closed is replaced, and the question put again.
  boost::asio::awaitable<HttpAnswer> ask(const HttpQuestion& question, Duration timeout);

  // Ends a running ask(), which then fails; the client is of no more use.
  void close();

 private:
  boost::asio::awaitable<boost::system::error_code> connect();
  // Absent: the connection was closed before a byte of an answer came.
  boost::asio::awaitable<std::optional<HttpAnswer>> exchange(const HttpQuestion& question);
  HttpAnswer dropped(const char* doing, boost::system::error_code error, bool sent);
  void disconnect();

  boost::beast::tcp_stream stream_;
  config::Address address_;
  bool connected_ = false;
  bool closed_ = false;
};

}  // namespace sluice::probe
