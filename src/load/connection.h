// One HTTP/1.1 connection of a caller: a request, its answer, the next request.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "load/answer.h"

namespace sluice::load {

using Clock = std::chrono::steady_clock;
using Endpoint = boost::asio::ip::tcp::endpoint;

struct Exchange {
  enum class Fate : std::uint8_t {
    kAnswered,
    kGaveUp,       // no whole answer before the caller lost patience
    kUnreachable,  // no connection
    kBroken,       // what came was not HTTP, or ended in the middle
    kDropped,      // not even tried: no connection was free
  };
  Fate fate = Fate::kBroken;
  Answer answer;  // of kAnswered
};

class Connection {
 public:
  // Connects with the first exchange.
  Connection(const boost::asio::any_io_executor& executor, const Endpoint& endpoint);

  // Sends `message` and reads the whole answer, or closes at `give_up_at`: that is how a caller
  // tells the server that it has gone. One exchange at a time; `message` lives until it is over.
  boost::asio::awaitable<Exchange> exchange(std::string_view message, Clock::time_point give_up_at);

 private:
  void give_up_later(Clock::time_point at);
  boost::asio::awaitable<bool> connect();
  boost::asio::awaitable<std::optional<Answer>> send_and_read(std::string_view message);
  boost::asio::awaitable<Exchange> attempt(std::string_view message);
  void close();

  Endpoint endpoint_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer patience_;
  boost::beast::flat_buffer buffer_;
  std::uint64_t exchanges_ = 0;  // a timer that fires late must not hit the next exchange
  bool gave_up_ = false;
  bool got_bytes_ = false;  // of the answer
};

}  // namespace sluice::load
