#include "gateway/listener.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include <sys/socket.h>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "gateway/caller.h"
#include "gateway/switchboard.h"

namespace sluice::gateway {
namespace {

namespace ip = boost::asio::ip;

}  // namespace

Listener::Listener(Switchboard& board, const config::Address& address)
    : board_(board), context_(board.context()), acceptor_(context_.io) {
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

void Listener::start() {
  acceptor_.native_non_blocking(true);
  if (!context_.poller.add(acceptor_.native_handle(), shared_from_this(), token_)) {
    throw std::system_error(errno, std::generic_category(), "watching the listener");
  }
}

void Listener::on_ready(bool readable, bool, bool) {
  waiting_ = waiting_ || readable;
  accept_all();
}

void Listener::resume() {
  if (acceptor_.is_open()) accept_all();
}

void Listener::accept_all() {
  while (waiting_ && context_.open_callers < context_.config.limits.connections) {
    const int descriptor =
        ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor >= 0) {
      std::make_shared<Caller>(board_)->start(descriptor);
      continue;
    }
    // A newcomer that has left again is no reason to stop.
    if (errno == ECONNABORTED || errno == EINTR) continue;
    waiting_ = errno != EAGAIN && errno != EWOULDBLOCK;
    if (waiting_) spdlog::warn("accepting a connection: {}", std::strerror(errno));
    return;
  }
}

void Listener::stop() {
  context_.poller.remove(token_);
  ErrorCode ignored;
  acceptor_.close(ignored);
}

}  // namespace sluice::gateway
