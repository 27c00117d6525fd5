#include "gateway/listener.h"

#include <memory>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "gateway/caller.h"
#include "gateway/switchboard.h"

namespace sluice::gateway {
namespace {

namespace ip = boost::asio::ip;
constexpr auto kPause = std::chrono::milliseconds(50);

}  // namespace

Listener::Listener(Switchboard& board, const config::Address& address)
    : board_(board),
      context_(board.context()),
      acceptor_(context_.io.get_executor()),
      timer_(context_.io) {
  try {
    ip::tcp::resolver resolver(context_.io);
    const auto found =
        resolver.resolve(address.host, std::to_string(address.port), ip::resolver_base::passive);
    const ip::tcp::endpoint endpoint = found.begin()->endpoint();
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(ip::tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint);
    acceptor_.listen(4096);
  } catch (const boost::system::system_error& error) {
    throw boost::system::system_error(
        error.code(), fmt::format("cannot listen on {}:{}", address.host, address.port));
  }
}

void Listener::accept() {
  if (stopped_) return;
  if (context_.open_callers >= context_.config.limits.connections) return pause();
  acceptor_.async_accept(
      [this](const ErrorCode& error, Socket socket) { on_accept(error, std::move(socket)); });
}

void Listener::on_accept(const ErrorCode& error, Socket socket) {
  if (stopped_) return;
  if (error) {
    spdlog::warn("accepting a connection: {}", error.message());
    return pause();
  }
  ErrorCode ignored;
  socket.set_option(ip::tcp::no_delay(true), ignored);
  socket.non_blocking(true, ignored);
  std::make_shared<Caller>(board_, std::move(socket))->start();
  accept();
}

void Listener::pause() {
  timer_.expires_after(kPause);
  timer_.async_wait([this](const ErrorCode& error) {
    if (!error) accept();
  });
}

void Listener::stop() {
  stopped_ = true;
  timer_.cancel();
  ErrorCode ignored;
  acceptor_.close(ignored);
}

}  // namespace sluice::gateway
