#include "load/connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>

namespace sluice::load {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

// Errors come back as values: a lost connection is an ordinary end here.
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

}  // namespace

Connection::Connection(const asio::any_io_executor& executor, const Endpoint& endpoint)
    : endpoint_(endpoint), socket_(executor), patience_(executor) {}

awaitable<Exchange> Connection::exchange(std::string_view message, Clock::time_point give_up_at) {
  give_up_later(give_up_at);
  const bool reused = socket_.is_open();
  Exchange result = co_await attempt(message);
  // A server may close an idle connection in the moment in which it is used again: no answer of
  // its, no fault of its. Once, on a new connection.
  if (reused && result.fate == Exchange::Fate::kBroken && !got_bytes_) {
    result = co_await attempt(message);
  }
  patience_.cancel();
  co_return result;
}

void Connection::give_up_later(Clock::time_point at) {
  gave_up_ = false;
  patience_.expires_at(at);
  patience_.async_wait([this, mine = ++exchanges_](boost::system::error_code error) {
    if (error || mine != exchanges_) return;
    gave_up_ = true;
    close();
  });
}

awaitable<Exchange> Connection::attempt(std::string_view message) {
  using Fate = Exchange::Fate;
  got_bytes_ = false;
  if (!socket_.is_open() && !co_await connect()) {
    close();
    co_return Exchange{gave_up_ ? Fate::kGaveUp : Fate::kUnreachable, {}};
  }
  auto answer = co_await send_and_read(message);
  if (!answer || !answer->keep_alive) close();
  if (answer) co_return Exchange{Fate::kAnswered, *std::move(answer)};
  co_return Exchange{gave_up_ ? Fate::kGaveUp : Fate::kBroken, {}};
}

awaitable<bool> Connection::connect() {
  const auto [error] = co_await socket_.async_connect(endpoint_, kTuple);
  if (error) co_return false;
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  co_return !gave_up_;
}

awaitable<std::optional<Answer>> Connection::send_and_read(std::string_view message) {
  const auto [write_error, written] =
      co_await asio::async_write(socket_, asio::buffer(message.data(), message.size()), kTuple);
  // A server may answer (413, 503) and close before it has read everything: the answer counts.
  AnswerParser parser;
  const auto [read_error, read] =
      co_await boost::beast::http::async_read(socket_, buffer_, parser, kTuple);
  got_bytes_ = read > 0;
  if (read_error || !parser.is_done()) co_return std::nullopt;
  Answer answer = parser.take();
  answer.keep_alive = answer.keep_alive && !write_error;
  co_return answer;
}

void Connection::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
  buffer_.clear();
}

}  // namespace sluice::load
