#include "gateway/admin.h"

#include <list>
#include <string_view>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/system/system_error.hpp>

#include "telemetry/metrics.h"

namespace sluice::gateway {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;
using RequestParser = http::request_parser<http::empty_body>;

// How long to let go of accept() when the process is out of descriptors: retrying at once would
// spin.
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

Response text(http::status status, std::string body) {
  Response response{status, 11};
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.body() = std::move(body);
  return response;
}

std::string_view path_of(const Request& request) {
  const std::string_view target(request.target().data(), request.target().size());
  return target.substr(0, target.find('?'));
}

Response ready(const AdminSources& sources) {
  const std::string why_not = sources.why_not_ready();
  if (why_not.empty()) return text(http::status::ok, "ready\n");
  return text(http::status::service_unavailable, why_not + "\n");
}

Response metrics(const AdminSources& sources) {
  auto response = text(http::status::ok, sources.metrics());
  response.set(http::field::content_type, std::string(telemetry::Metrics::kContentType));
  return response;
}

Response answer(const Request& request, const AdminSources& sources) {
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    auto response = text(http::status::method_not_allowed, "only GET and HEAD\n");
    response.set(http::field::allow, "GET, HEAD");
    return response;
  }
  const auto path = path_of(request);
  if (path == "/metrics") return metrics(sources);
  if (path == "/healthz") return text(http::status::ok, "ok\n");
  if (path == "/readyz") return ready(sources);
  return text(http::status::not_found, "try /metrics, /healthz or /readyz\n");
}

// A head that is no request: the caller is told, where it may still be listening.
Response refusal(error_code error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return text(http::status::request_header_fields_too_large, "head too large\n");
  }
  if (error == http::error::unexpected_body || error == http::error::body_limit) {
    return text(http::status::payload_too_large, "no body is taken here\n");
  }
  return text(http::status::bad_request, std::string("not HTTP/1.1: ") + error.message() + "\n");
}

bool is_parse_error(error_code error) {
  return error.category() == http::make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

tcp::acceptor listen(asio::io_context& io, const tcp::endpoint& address) {
  try {
    return tcp::acceptor(io, address);
  } catch (const boost::system::system_error& e) {
    throw boost::system::system_error(e.code(), "admin listener " + address.address().to_string() +
                                                    ":" + std::to_string(address.port()));
  }
}

}  // namespace

class AdminServer::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& io, const tcp::endpoint& address, AdminSources sources, AdminLimits limits)
      : io_(io), acceptor_(listen(io, address)), sources_(std::move(sources)), limits_(limits) {}

  void start() { asio::co_spawn(io_, accept_all(shared_from_this()), asio::detached); }
  void stop();
  tcp::endpoint local_endpoint() const { return acceptor_.local_endpoint(); }

 private:
  using Streams = std::list<beast::tcp_stream>;

  // Coroutines hold the server by `self` until they have returned.
  static asio::awaitable<void> accept_all(std::shared_ptr<Impl> self);
  static asio::awaitable<void> serve(std::shared_ptr<Impl> self, Streams::iterator stream);
  asio::awaitable<bool> serve_one(beast::tcp_stream& stream, beast::flat_buffer& buffer);
  asio::awaitable<bool> send(beast::tcp_stream& stream, Response response, bool keep_alive);
  void admit(tcp::socket socket);

  asio::io_context& io_;
  tcp::acceptor acceptor_;
  AdminSources sources_;
  AdminLimits limits_;
  // Open connections; the coroutine that serves one takes it out.
  Streams open_;
  bool stopped_ = false;
};

void AdminServer::Impl::stop() {
  if (std::exchange(stopped_, true)) return;
  error_code ignored;
  acceptor_.close(ignored);
  for (auto& stream : open_) stream.close();
}

asio::awaitable<void> AdminServer::Impl::accept_all(std::shared_ptr<Impl> self) {
  asio::steady_timer pause(self->io_);
  while (!self->stopped_) {
    error_code error;
    auto socket =
        co_await self->acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (self->stopped_) co_return;
    if (!error) {
      self->admit(std::move(socket));
      continue;
    }
    pause.expires_after(kAcceptPause);
    co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
  }
}

void AdminServer::Impl::admit(tcp::socket socket) {
  if (open_.size() >= limits_.connections) return;
  const auto stream = open_.emplace(open_.end(), std::move(socket));
  asio::co_spawn(io_, serve(shared_from_this(), stream), asio::detached);
}

asio::awaitable<void> AdminServer::Impl::serve(std::shared_ptr<Impl> self,
                                               Streams::iterator stream) {
  beast::flat_buffer buffer(self->limits_.head_bytes + 1);
  while (co_await self->serve_one(*stream, buffer)) {
  }
  self->open_.erase(stream);
}

// False: the connection is not to be used again.
asio::awaitable<bool> AdminServer::Impl::serve_one(beast::tcp_stream& stream,
                                                   beast::flat_buffer& buffer) {
  RequestParser parser;
  parser.header_limit(static_cast<std::uint32_t>(limits_.head_bytes));
  error_code error;
  stream.expires_after(limits_.stage);
  co_await http::async_read(stream, buffer, parser,
                            asio::redirect_error(asio::use_awaitable, error));
  if (stopped_) co_return false;
  if (is_parse_error(error)) co_return co_await send(stream, refusal(error), false);
  if (error) co_return false;

  const Request& request = parser.get();
  auto response = answer(request, sources_);
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();
  co_return co_await send(stream, std::move(response), request.keep_alive());
}

asio::awaitable<bool> AdminServer::Impl::send(beast::tcp_stream& stream, Response response,
                                              bool keep_alive) {
  response.keep_alive(keep_alive);
  error_code error;
  stream.expires_after(limits_.stage);
  co_await http::async_write(stream, response, asio::redirect_error(asio::use_awaitable, error));
  co_return !error && keep_alive && !stopped_;
}

AdminServer::AdminServer(asio::io_context& io, const tcp::endpoint& address, AdminSources sources,
                         AdminLimits limits)
    : impl_(std::make_shared<Impl>(io, address, std::move(sources), limits)) {
  impl_->start();
}

AdminServer::~AdminServer() {
  stop();
}

tcp::endpoint AdminServer::local_endpoint() const {
  return impl_->local_endpoint();
}

void AdminServer::stop() {
  impl_->stop();
}

}  // namespace sluice::gateway
