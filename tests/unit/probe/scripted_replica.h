// A replica that answers with whatever bytes a test wants.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace sluice::probe {

class ScriptedReplica {
 public:
  enum class Then { kKeep, kClose, kRepeat };
  struct Answer {
    std::string bytes;  // empty: none at all
    Then then = Then::kKeep;
  };
  using Script = std::function<Answer()>;

  ScriptedReplica(boost::asio::io_context& io, Script script)
      : acceptor_(io, {boost::asio::ip::address_v4::loopback(), 0}), script_(std::move(script)) {
    boost::asio::co_spawn(io, accept_all(), boost::asio::detached);
  }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  int connections() const { return connections_; }
  int requests() const { return requests_; }
  const std::string& last_request() const { return last_request_; }
  void close() { acceptor_.close(); }

  static std::string ok() { return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"; }

 private:
  using Socket = boost::asio::ip::tcp::socket;

  boost::asio::awaitable<void> accept_all() {
    for (;;) {
      boost::system::error_code error;
      auto socket = co_await acceptor_.async_accept(
          boost::asio::redirect_error(boost::asio::use_awaitable, error));
      if (error) co_return;
      ++connections_;
      boost::asio::co_spawn(acceptor_.get_executor(), serve(std::move(socket)),
                            boost::asio::detached);
    }
  }

  boost::asio::awaitable<void> serve(Socket socket) {
    for (;;) {
      boost::system::error_code error;
      std::string request;
      co_await boost::asio::async_read_until(
          socket, boost::asio::dynamic_buffer(request), "\r\n\r\n",
          boost::asio::redirect_error(boost::asio::use_awaitable, error));
      if (error) co_return;
      ++requests_;
      last_request_ = request;
      const auto answer = script_();
      do {
        co_await boost::asio::async_write(
            socket, boost::asio::buffer(answer.bytes),
            boost::asio::redirect_error(boost::asio::use_awaitable, error));
      } while (!error && answer.then == Then::kRepeat);
      if (answer.then == Then::kClose) co_return;
    }
  }

  boost::asio::ip::tcp::acceptor acceptor_;
  Script script_;
  int connections_ = 0;
  int requests_ = 0;
  std::string last_request_;
};

}  // namespace sluice::probe
