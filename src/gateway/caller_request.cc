// What a caller's request is, once its head is there, and the answers that need no replica.
#include <utility>

#include <fmt/format.h>

#include "gateway/caller.h"
#include "gateway/labels.h"
#include "gateway/switchboard.h"
#include "http/write.h"
#include "telemetry/version.h"

namespace sluice::gateway {

void Caller::on_head() {
  const Route where = route(request_.head.method, request_.head.target);
  switch (where.kind) {
    case RouteKind::kModel:
      return accept(where.model);
    case RouteKind::kNotFound:
      return refuse(404, "unknown_path",
                    "There is nothing here. Inference is POST /v2/models/{model}/infer.");
    case RouteKind::kMethodNotAllowed:
      return refuse(405, "method_not_allowed",
                    "This method is not for this path: POST for /infer, GET for the others.");
    default:
      return answer_here(where);
  }
}

void Caller::accept(std::string_view model_name) {
  labels_ = core::Labels{};
  const auto model = context_.directory.model(model_name);
  if (!model) {
    return refuse(404, "unknown_model",
                  "No model of this name is configured: " + std::string(model_name.substr(0, 64)));
  }
  request_.model = *model;
  labels_.model = *model;
  labels_.tenant = core::TenantId{0};
  if (read_labels()) begin_body();
}

bool Caller::read_labels() {
  LabelReader reader(context_.directory, labels_);
  const auto wall_now = std::chrono::system_clock::now();
  for (const http::Header& header : request_.head.all()) {
    if (reader.read(header.name, header.value, wall_now)) continue;
    refuse(400, "malformed_label", reader.error());
    return false;
  }
  return true;
}

// Room first, bytes afterwards.
void Caller::begin_body() {
  const http::Body& body = request_.head.body;
  state_ = State::kBody;
  if (body.kind == http::BodyKind::kNone) return;
  limit(context_.clock.now() + context_.config.limits.body_timeout);
  chunks_ = http::ChunkDecoder();
  if (body.kind == http::BodyKind::kLength) {
    if (body.length > context_.config.limits.body_bytes) return refuse_too_large();
    if (!reserve(body.length)) return;
    const std::size_t in_buffer = filled_ - request_.head.size;
    if (request_.head.size + body.length + kSpare > buffer_.size()) {
      // Not zeroed: what a caller only announces costs address space, no memory.
      large_body_.reset(new char[body.length]);
      large_filled_ = std::min<std::size_t>(in_buffer, body.length);
      std::copy_n(buffer_.data() + request_.head.size, large_filled_, large_body_.get());
      used_ += large_filled_;
    }
  }
  if (request_.head.expect_continue && filled_ == request_.head.size) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    // 25 bytes into an empty send buffer; a caller that lets even these back up gets none.
    if (!stream_.send({kContinue}) || stream_.broken()) disconnect();
  }
}

void Caller::refuse_too_large() {
  refuse(413, "body_too_large",
         fmt::format("The body is larger than the {} bytes that are allowed (limits: body).",
                     context_.config.limits.body_bytes));
}

bool Caller::reserve(std::uint64_t bytes) {
  if (reservation_.grow(context_.bodies, bytes)) return true;
  Problem full;
  full.status = context_.config.overload_status;
  full.reason = "bodies_in_memory";
  full.detail = "Sluice holds as many bytes of bodies as it may (limits: bodies_in_memory).";
  full.retry_after = std::chrono::seconds(1);
  refuse(full);
  return false;
}

void Caller::body_complete() {
  const bool runs_model = request_.head.method == "POST";
  labels_.size_bytes = request_.body.size();
  labels_.teaches = runs_model;
  // The body is kept until an answer is passed on, so another replica may be asked.
  request_.repeatable = !runs_model || context_.config.core.models[labels_.model.value].idempotent;
  labels_.retriable = request_.repeatable;
  state_ = State::kWaiting;
  no_limit();
  submitted_ = board_.submit(shared_from_this(), labels_, request_.arrival);
}

void Caller::answer_here(const Route& route) {
  constexpr std::string_view kJson = "application/json";
  if (route.kind == RouteKind::kServerLive) return answer_text(200, kJson, "{\"live\":true}\n");
  if (route.kind == RouteKind::kServerInfo) {
    const std::string text = fmt::format(R"({{"name":"sluice","version":"{}","extensions":[]}})"
                                         "\n",
                                         telemetry::version());
    return answer_text(200, kJson, text);
  }
  bool ready = board_.any_replica_ready() && !context_.draining;
  if (route.kind == RouteKind::kModelReady) {
    const auto model = context_.directory.model(route.model);
    if (!model) return refuse(404, "unknown_model", "No model of this name is configured.");
    ready = board_.scheduler().model_ready(*model);
  }
  answer_text(ready ? 200 : 503, kJson, ready ? "{\"ready\":true}\n" : "{\"ready\":false}\n");
}

void Caller::answer_text(int status, std::string_view type, std::string_view body) {
  const bool close = closing() || !skip_body();
  out_.clear();
  http::append_status_line(out_, status);
  http::append_header(out_, "content-type", type);
  http::append_header(out_, "content-length", fmt::format_int(body.size()).c_str());
  if (close) http::append_header(out_, "connection", "close");
  out_ += "\r\n";
  if (!head_only()) out_ += body;
  send_own(close);
}

void Caller::refuse(int status, std::string_view reason, std::string detail) {
  Problem problem;
  problem.status = status;
  problem.reason = reason;
  problem.detail = std::move(detail);
  if (status == 405)
    problem.allow = request_.head.target.ends_with("/infer") ? "POST" : "GET, HEAD";
  refuse(problem);
}

// Where the bytes were not understood, or did not come, nobody knows where the next request begins.
void Caller::refuse_half_read(int status, std::string_view reason, std::string_view detail) {
  request_.head.keep_alive = false;
  request_.head.method = {};
  refuse(status, reason, std::string(detail));
}

void Caller::refuse(const Problem& problem) {
  const bool close = closing() || !skip_body();
  out_.clear();
  append_problem(out_, problem, close, head_only());
  send_own(close);
}

// A body that is not taken from the wire stands between this request and the next. One that is in
// the buffer already is passed over.
bool Caller::skip_body() {
  const http::Body& body = request_.head.body;
  if (state_ == State::kWaiting) return true;
  if (state_ == State::kBody || body.kind == http::BodyKind::kChunked) return false;
  if (filled_ - request_.head.size < body.length) return false;
  used_ = request_.head.size + body.length;
  return true;
}

void Caller::send_own(bool close_after) {
  state_ = State::kAnswering;
  close_after_own_ = close_after;
  if (!stream_.send({out_})) {
    return limit(context_.clock.now() + context_.config.limits.write_timeout);
  }
  if (stream_.broken()) return disconnect();
  // Whoever called goes on with the bytes at hand.
  close_after ? linger() : next_request();
}

}  // namespace sluice::gateway
