#include "model_server/session.h"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>

#include "model_server/oip_response.h"

namespace sluice::model_server {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace {

constexpr std::size_t kHeadLimitBytes = 16 << 10;
constexpr std::size_t kReadAheadBytes = 64 << 10;
constexpr std::string_view kJsonBytesHeader = "Inference-Header-Content-Length";

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable_t<Executor>());

int status_of(boost::system::error_code error) {
  if (error == http::error::body_limit) return 413;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  return 400;
}

bool is_bad_request(boost::system::error_code error) {
  return error.category() == http::make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

// The header's value. Throws BadRequest when it is there but no number.
std::optional<std::size_t> json_bytes_of(const http::request<http::string_body>& request) {
  const auto header = request.find(kJsonBytesHeader);
  if (header == request.end()) return std::nullopt;
  const auto text = header->value();
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw BadRequest("Inference-Header-Content-Length is no number");
  }
  return value;
}

// Written by hand: Beast's serialiser, made for bodies of any kind, costs several microseconds,
// which counts where thousands of these answers a second share a machine with what is measured.
std::string head_of(const Answer& answer, bool keep_alive) {
  const std::string_view reason = http::obsolete_reason(static_cast<http::status>(answer.status));
  std::string head = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n",
                                 answer.status, reason, answer.content_type, answer.body.size());
  if (answer.json_bytes) head += fmt::format("{}: {}\r\n", kJsonBytesHeader, *answer.json_bytes);
  if (!keep_alive) head += "Connection: close\r\n";
  head += "\r\n";
  return head;
}

// What whoever is asked answers: from the loop only, so that no answer can have come before the
// coroutine waits for it.
template <class Ask>
asio::awaitable<Answer, Executor> answer_of(Ask ask) {
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void(Answer)>(
      [&ask](auto handler) {
        auto shared = std::make_shared<decltype(handler)>(std::move(handler));
        ask([shared](Answer result) { std::move (*shared)(std::move(result)); });
      },
      asio::use_awaitable_t<Executor>());
}

bool expects_continue(const http::request<http::string_body>& request) {
  return beast::iequals(request[http::field::expect], "100-continue");
}

}  // namespace

Session::Session(Socket socket, Service& service, asio::io_context& loop, const Options& options)
    : stream_(std::move(socket)),
      service_(service),
      loop_(loop),
      options_(options),
      buffer_(kHeadLimitBytes + kReadAheadBytes) {
  buffer_.reserve(4096);
  boost::system::error_code ignored;
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  stream_.socket().non_blocking(true, ignored);  // for the peek in on_readable()
}

Session::Task<void> Session::run() {
  while (!service_.draining() && co_await read_request()) {
    const Answer answer = co_await answer_request();
    // HTTP/1.0 callers would want it confirmed; they are too few to bother.
    const auto& request = parser_->get();
    const bool keep_alive = request.version() == 11 && request.keep_alive() && !service_.draining();
    if (!co_await write(answer, keep_alive) || !keep_alive) break;
  }
  stream_.close();
}

void Session::drain() {
  if (idle_) stream_.close();
}

void Session::cut() {
  stream_.close();
  if (job_) service_.node().abandon(job_);
}

Session::Task<bool> Session::read_request() {
  parser_.emplace();
  parser_->body_limit(options_.body_limit_bytes);
  parser_->header_limit(kHeadLimitBytes);
  parser_->eager(true);
  idle_ = buffer_.size() == 0;
  stream_.expires_after(options_.idle_limit);
  bool may_continue = true;
  while (!parser_->is_done()) {
    const auto [error, bytes] = co_await http::async_read_some(stream_, buffer_, *parser_, kAwait);
    if (error) co_return co_await answer_bad_read(error);
    idle_ = false;
    if (may_continue && parser_->is_header_done() && !parser_->is_done() &&
        expects_continue(parser_->get())) {
      may_continue = false;
      constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      const auto [failure, written] =
          co_await asio::async_write(stream_, asio::buffer(kContinue), kAwait);
      if (failure) co_return false;
    }
  }
  co_return true;
}

// Bytes that are no request get an answer; whoever just left, or was too slow, gets none.
Session::Task<bool> Session::answer_bad_read(boost::system::error_code error) {
  if (is_bad_request(error)) {
    co_await write(error_answer(status_of(error), error.message()), false);
  }
  co_return false;
}

Session::Task<Answer> Session::answer_request() {
  const auto& request = parser_->get();
  const Route route = route_of(request.target());
  const bool post = request.method() == http::verb::post;
  if (post && route.resource == Route::Resource::kInfer) co_return co_await infer(route);
  if (post &&
      (route.resource == Route::Resource::kLoad || route.resource == Route::Resource::kUnload)) {
    co_return co_await change(route);
  }
  // Triton lists its repository on POST.
  if (post && route.resource == Route::Resource::kIndex) co_return service_.describe(route);
  // An answer to HEAD has no body.
  if (request.method() == http::verb::head) co_return Answer{.status = 405};
  if (request.method() != http::verb::get) co_return error_answer(405, "the method must be GET");
  co_return service_.describe(route);
}

Session::Task<Answer> Session::infer(const Route& route) {
  Model* model = service_.model_of(route);
  if (model == nullptr) co_return unknown_model(route);
  if (model->state != LoadState::kReady) co_return not_loaded(*model);
  InferBody body{.bytes = std::move(parser_->get().body())};
  try {
    body.json_bytes = json_bytes_of(parser_->get());
    body.json();  // throws when it is longer than the body
  } catch (const BadRequest& error) {
    co_return error_answer(400, error.what());
  }
  job_ = std::make_shared<Job>(loop_, *model, std::move(body));
  if (!service_.node().submit(job_)) {
    job_.reset();
    co_return error_answer(503, "the queue is full");
  }
  watch();
  Answer answer = co_await answer_of([this](auto done) { job_->on_answer = std::move(done); });
  job_.reset();
  co_return answer;
}

Session::Task<Answer> Session::change(const Route& route) {
  Model* model = service_.model_of(route);
  if (model == nullptr) co_return unknown_model(route);
  if (route.resource == Route::Resource::kUnload) co_return service_.loader().unload(*model);
  co_return co_await answer_of([&](auto done) { service_.loader().load(*model, std::move(done)); });
}

Session::Task<bool> Session::write(const Answer& answer, bool keep_alive) {
  const std::string head = head_of(answer, keep_alive);
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(head), asio::buffer(answer.body)};
  stream_.expires_after(options_.idle_limit);
  const auto [error, bytes] = co_await asio::async_write(stream_, buffers, kAwait);
  co_return !error;
}

void Session::watch() {
  if (watching_) return;
  watching_ = true;
  stream_.socket().async_wait(Socket::wait_read,
                              [self = shared_from_this()](boost::system::error_code error) {
                                self->watching_ = false;
                                if (!error) self->on_readable();
                              });
}

void Session::on_readable() {
  if (!job_) return;
  char byte;
  boost::system::error_code error;
  const auto peek = Socket::message_peek;
  const std::size_t bytes = stream_.socket().receive(asio::buffer(&byte, 1), peek, error);
  // The wait may date from before this job, and tell of bytes long read.
  if (error == asio::error::would_block) return watch();
  // A next request is there already: whether the caller leaves behind it, writing will tell.
  if (bytes > 0) return;
  service_.node().abandon(job_);
}

}  // namespace sluice::model_server
