// An HTTP server on a free port of the loopback, in a thread of its own, that answers as a test
// wants it to.
#pragma once

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <string>
#include <thread>

namespace sluice::load {

inline std::string ok(const std::string& headers = "") {
  return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: 2\r\n\r\nok";
}

class FakeServer {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  struct Reply {
    std::string bytes;
    bool then_close = false;
  };
  using Answerer = std::function<Reply(const Request&)>;

  explicit FakeServer(Answerer answerer, bool held = false)
      : answerer_(std::move(answerer)), held_(held) {
    boost::asio::co_spawn(io_, accept(), boost::asio::detached);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~FakeServer() {
    io_.stop();
    thread_.join();
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // Until now no request has been answered; from now on all are.
  void release() {
    boost::asio::post(io_, [this] {
      held_ = false;
      gate_.cancel();
    });
  }
  int accepted() const { return accepted_; }
  int ended() const { return ended_; }

 private:
  static constexpr auto kTuple = boost::asio::as_tuple(boost::asio::use_awaitable);
  using Socket = boost::asio::ip::tcp::socket;

  boost::asio::awaitable<void> accept() {
    for (;;) {
      auto [error, socket] = co_await acceptor_.async_accept(kTuple);
      if (error) co_return;
      ++accepted_;
      boost::asio::co_spawn(io_, serve(std::move(socket)), boost::asio::detached);
    }
  }

  boost::asio::awaitable<void> serve(Socket socket) {
    boost::beast::flat_buffer buffer;
    for (;;) {
      Request request;
      const auto [read_error, read] =
          co_await boost::beast::http::async_read(socket, buffer, request, kTuple);
      if (read_error) break;
      while (held_) co_await gate_.async_wait(kTuple);
      const Reply reply = answerer_(request);
      const auto [write_error, written] =
          co_await boost::asio::async_write(socket, boost::asio::buffer(reply.bytes), kTuple);
      if (write_error || reply.then_close) break;
    }
    ++ended_;
  }

  Answerer answerer_;
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_{io_, {boost::asio::ip::make_address("127.0.0.1"), 0}};
  int port_ = acceptor_.local_endpoint().port();
  boost::asio::steady_timer gate_{io_, boost::asio::steady_timer::time_point::max()};
  bool held_;  // of the server's thread, as the gate is
  std::atomic<int> accepted_ = 0;
  std::atomic<int> ended_ = 0;
  std::thread thread_;
};

}  // namespace sluice::load
