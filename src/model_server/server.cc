#include "model_server/server.h"

#include <csignal>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include "model_server/options_file.h"

namespace sluice::model_server {
namespace asio = boost::asio;
using tcp = asio::ip::tcp;
namespace {

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable_t<Executor>());

tcp::endpoint resolved(const Endpoint& listen) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(listen.address, error);
  if (error) {
    throw std::runtime_error(
        fmt::format("listen: \"{}\" is no IP address, such as 127.0.0.1", listen.address));
  }
  return {address, listen.port};
}

}  // namespace

Server::Server(Options options)
    : options_(std::move(options)),
      service_(loop_, options_),
      acceptor_(loop_.get_executor()),
      signals_(loop_),
      timer_(loop_) {
  const tcp::endpoint endpoint = resolved(options_.listen);
  try {
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint);
    acceptor_.listen();
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error(
        fmt::format("cannot listen on {}: {}", to_string(options_.listen), error.code().message()));
  }
}

std::uint16_t Server::port() const {
  return acceptor_.local_endpoint().port();
}

std::string Server::bound_address() const {
  return to_string({.address = options_.listen.address, .port = port()});
}

void Server::stop_on_signals() {
  signals_.add(SIGTERM);
  signals_.add(SIGINT);
  signals_.async_wait([this](boost::system::error_code error, int) {
    if (!error) drain();
  });
}

void Server::run() {
  asio::co_spawn(loop_.get_executor(), accept(), [](const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
  });
  loop_.run();
}

void Server::stop() {
  asio::post(loop_, [this] { drain(); });
}

asio::awaitable<void, Executor> Server::accept() {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(kAwait);
    if (!error) {
      open(std::move(socket));
    } else if (acceptor_.is_open()) {
      // Out of descriptors, most likely: trying again at once would only burn the processor.
      timer_.expires_after(std::chrono::milliseconds(50));
      co_await timer_.async_wait(kAwait);
    }
  }
}

void Server::open(Socket socket) {
  if (sessions_.size() >= options_.connection_limit) return;  // closes it
  auto session = std::make_shared<Session>(std::move(socket), service_, loop_, options_);
  sessions_.insert(session.get());
  asio::co_spawn(
      loop_.get_executor(), [session] { return session->run(); },
      [this, session](const std::exception_ptr& error) {
        close(session.get());
        if (error) std::rethrow_exception(error);
      });
}

void Server::close(Session* session) {
  sessions_.erase(session);
  if (service_.draining() && sessions_.empty()) timer_.cancel();
}

void Server::drain() {
  if (service_.draining()) return;
  service_.drain();
  acceptor_.close();
  signals_.cancel();
  // Copied: a session that ends here leaves the set.
  for (Session* session : std::vector<Session*>(sessions_.begin(), sessions_.end())) {
    session->drain();
  }
  if (sessions_.empty()) return;
  timer_.expires_after(options_.drain_limit);
  timer_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    for (Session* session : std::vector<Session*>(sessions_.begin(), sessions_.end())) {
      session->cut();
    }
  });
}

}  // namespace sluice::model_server
