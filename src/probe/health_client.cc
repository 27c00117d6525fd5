#include "probe/health_client.h"

#include <chrono>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "probe/round_trip.h"

namespace sluice::probe {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::steady_clock;

namespace {

constexpr std::uint32_t kHeadLimitBytes = 8 * 1024;
constexpr std::uint64_t kBodyLimitBytes = 64 * 1024;

using Parser = http::response_parser<http::string_body>;

CheckResult failed(std::string why) {
  return {.round_trip = std::nullopt, .failure = std::move(why)};
}

// What a peer's closing looks like, depending on how far the two sides had come.
bool is_closed(error_code error) {
  return error == http::error::end_of_stream || error == asio::error::connection_reset ||
         error == asio::error::broken_pipe;
}

bool is_success(http::status status) {
  return http::to_status_class(status) == http::status_class::successful;
}

std::string host_field(const config::Address& address) {
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

http::request<http::empty_body> request_for(const HealthTarget& target) {
  http::request<http::empty_body> request{http::verb::get, target.path, 11};
  request.set(http::field::host, host_field(target.address));
  request.set(http::field::user_agent, "sluice");
  return request;
}

}  // namespace

HealthClient::HealthClient(asio::io_context& io, const HealthTarget& target, Duration timeout)
    : stream_(io), target_(target), timeout_(timeout) {}

asio::awaitable<CheckResult> HealthClient::check() {
  stream_.expires_after(timeout_);
  if (connected_) {
    // A kept connection may have been closed for being idle: no sign of ill health, so there is a
    // second try on a new one, within the same timeout.
    if (auto result = co_await exchange()) co_return std::move(*result);
  }
  if (const auto error = co_await connect()) co_return dropped("cannot connect", error);
  if (auto result = co_await exchange()) co_return std::move(*result);
  co_return failed("closed without an answer");
}

asio::awaitable<error_code> HealthClient::connect() {
  error_code error;
  // An address needs no resolver, which would start a thread.
  const auto address = asio::ip::make_address(target_.address.host, error);
  if (!error) {
    co_await stream_.async_connect(tcp::endpoint(address, target_.address.port),
                                   asio::redirect_error(asio::use_awaitable, error));
  } else {
    tcp::resolver resolver(stream_.get_executor());
    const auto found =
        co_await resolver.async_resolve(target_.address.host, std::to_string(target_.address.port),
                                        asio::redirect_error(asio::use_awaitable, error));
    if (closed_) error = asio::error::operation_aborted;
    if (error) co_return error;
    co_await stream_.async_connect(found, asio::redirect_error(asio::use_awaitable, error));
  }
  connected_ = !error;
  co_return error;
}

asio::awaitable<std::optional<CheckResult>> HealthClient::exchange() {
  const auto request = request_for(target_);
  beast::flat_buffer buffer(kHeadLimitBytes + kBodyLimitBytes);
  Parser parser;
  parser.header_limit(kHeadLimitBytes);
  parser.body_limit(kBodyLimitBytes);

  error_code error;
  const auto start = steady_clock::now();
  co_await http::async_write(stream_, request, asio::redirect_error(asio::use_awaitable, error));
  if (!error) {
    co_await http::async_read(stream_, buffer, parser,
                              asio::redirect_error(asio::use_awaitable, error));
  }
  const Duration taken = steady_clock::now() - start;
  if (is_closed(error) && !parser.got_some()) {
    disconnect();
    co_return std::nullopt;
  }
  if (error) co_return dropped("no answer", error);

  const auto round_trip = shortest_round_trip(stream_.socket().native_handle()).value_or(taken);
  // More than was asked for, or a promise to close: the next check needs a new connection.
  if (!parser.get().keep_alive() || buffer.size() > 0) disconnect();
  if (is_success(parser.get().result())) co_return CheckResult{round_trip, {}};
  co_return failed("answered " + std::to_string(parser.get().result_int()));
}

CheckResult HealthClient::dropped(const char* doing, error_code error) {
  disconnect();
  return failed(std::string(doing) + ": " + error.message());
}

void HealthClient::disconnect() {
  stream_.close();
  connected_ = false;
}

void HealthClient::close() {
  closed_ = true;
  stream_.close();
}

}  // namespace sluice::probe
