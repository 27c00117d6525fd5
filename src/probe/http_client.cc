#include "probe/http_client.h"

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
constexpr std::uint64_t kBodyLimitBytes = 1024 * 1024;

using Parser = http::response_parser<http::string_body>;
using Request = http::request<http::string_body>;

// What a peer's closing looks like, depending on how far the two sides had come.
bool is_closed(error_code error) {
  return error == http::error::end_of_stream || error == asio::error::connection_reset ||
         error == asio::error::broken_pipe;
}

std::string host_field(const config::Address& address) {
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

Request request_for(const HttpQuestion& question, const config::Address& address) {
  const bool post = question.method == HttpQuestion::Method::kPost;
  Request request{post ? http::verb::post : http::verb::get, question.path, 11};
  request.set(http::field::host, host_field(address));
  request.set(http::field::user_agent, "sluice");
  if (!post) return request;
  request.set(http::field::content_type, "application/json");
  request.body() = question.body;
  request.prepare_payload();
  return request;
}

}  // namespace

HttpClient::HttpClient(asio::io_context& io, config::Address address)
    : stream_(io), address_(std::move(address)) {}

asio::awaitable<HttpAnswer> HttpClient::ask(const HttpQuestion& question, Duration timeout) {
  stream_.expires_after(timeout);
  if (connected_) {
    // A kept connection may have been closed for being idle: no sign of ill health, so there is a
    // second try on a new one, within the same timeout.
    if (auto answer = co_await exchange(question)) co_return std::move(*answer);
  }
  if (const auto error = co_await connect()) co_return dropped("cannot connect", error, false);
  if (auto answer = co_await exchange(question)) co_return std::move(*answer);
  co_return HttpAnswer{.failure = "closed without an answer", .sent = true};
}

asio::awaitable<error_code> HttpClient::connect() {
  error_code error;
  // An address needs no resolver, which would start a thread.
  const auto address = asio::ip::make_address(address_.host, error);
  if (!error) {
    co_await stream_.async_connect(tcp::endpoint(address, address_.port),
                                   asio::redirect_error(asio::use_awaitable, error));
  } else {
    tcp::resolver resolver(stream_.get_executor());
    const auto found =
        co_await resolver.async_resolve(address_.host, std::to_string(address_.port),
                                        asio::redirect_error(asio::use_awaitable, error));
    if (closed_) error = asio::error::operation_aborted;
    if (error) co_return error;
    co_await stream_.async_connect(found, asio::redirect_error(asio::use_awaitable, error));
  }
  connected_ = !error;
  co_return error;
}

asio::awaitable<std::optional<HttpAnswer>> HttpClient::exchange(const HttpQuestion& question) {
  const auto request = request_for(question, address_);
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
  if (error) co_return dropped("no answer", error, true);

  const auto round_trip = shortest_round_trip(stream_.socket().native_handle()).value_or(taken);
  // More than was asked for, or a promise to close: the next question needs a new connection.
  if (!parser.get().keep_alive() || buffer.size() > 0) disconnect();
  co_return HttpAnswer{.status = parser.get().result_int(),
                       .body = std::move(parser.get().body()),
                       .round_trip = round_trip,
                       .sent = true};
}

HttpAnswer HttpClient::dropped(const char* doing, error_code error, bool sent) {
  disconnect();
  return {.failure = std::string(doing) + ": " + error.message(), .sent = sent};
}

void HttpClient::disconnect() {
  stream_.close();
  connected_ = false;
}

void HttpClient::close() {
  closed_ = true;
  stream_.close();
}

}  // namespace sluice::probe
