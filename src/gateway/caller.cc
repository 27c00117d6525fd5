#include "gateway/caller.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <boost/asio/write.hpp>

#include "gateway/replica_connection.h"
#include "gateway/switchboard.h"

namespace sluice::gateway {
namespace {

constexpr std::size_t kFirstBuffer = 8192;
constexpr std::string_view kMalformed = "malformed_request";
// After the last answer: time for the caller to read it before the connection is reset.
constexpr Duration kLinger = std::chrono::seconds(2);

}  // namespace

Caller::Caller(Switchboard& board, Socket socket)
    : board_(board), context_(board.context()), socket_(std::move(socket)), buffer_(kFirstBuffer) {
  ++context_.open_callers;
}

Caller::~Caller() = default;

void Caller::start() {
  board_.roster().join(*this);
  limit(context_.clock.now() + context_.config.limits.idle_timeout);
  read();
}

boost::asio::mutable_buffer Caller::read_space() {
  if (state_ == State::kBody && large_body_ != nullptr) {
    return {large_body_.get() + large_filled_, request_.head.body.length - large_filled_};
  }
  return {buffer_.data() + filled_, buffer_.size() - filled_};
}

void Caller::read() {
  if (reading_ || state_ == State::kGone) return;
  const auto space = read_space();
  if (space.size() == 0) return;
  reading_ = true;
  socket_.async_read_some(space,
                          [self = shared_from_this()](const ErrorCode& error, std::size_t bytes) {
                            self->on_read(error, bytes);
                          });
}

void Caller::on_read(const ErrorCode& error, std::size_t bytes) {
  reading_ = false;
  if (state_ == State::kGone) return;
  if (error) return disconnect();
  if (state_ == State::kBody && large_body_ != nullptr) {
    large_filled_ += bytes;
  } else if (state_ != State::kLingering) {
    filled_ += bytes;
  }
  advance();
  read();
}

void Caller::advance() {
  bool more = true;
  while (more) {
    switch (state_) {
      case State::kIdle:
        more = begin_head();
        break;
      case State::kHead:
        more = advance_head();
        break;
      case State::kBody:
        more = advance_body();
        break;
      default:
        return;
    }
  }
}

bool Caller::begin_head() {
  if (filled_ == 0) return false;
  state_ = State::kHead;
  request_.arrival = context_.clock.now();
  request_.head.scanned = 0;
  limit(request_.arrival + context_.config.limits.head_timeout);
  return true;
}

bool Caller::advance_head() {
  const std::size_t most = context_.config.limits.head_bytes;
  const auto result = http::parse({buffer_.data(), filled_}, most, request_.head);
  switch (result.progress) {
    case http::Progress::kNeedMore:
      // Only here may the buffer move: nothing looks into it yet.
      if (filled_ == buffer_.size()) buffer_.resize(std::min(2 * buffer_.size(), most + kSpare));
      return false;
    case http::Progress::kError:
      refuse_half_read(http::status_for(result.error), kMalformed, http::text_of(result.error));
      return false;
    case http::Progress::kDone:
      used_ = request_.head.size;
      on_head();
      return true;
  }
  return false;
}

bool Caller::advance_body() {
  const http::Body& body = request_.head.body;
  if (body.kind == http::BodyKind::kChunked) return decode_chunks();
  if (large_body_ != nullptr) {
    if (large_filled_ < body.length) return false;
    request_.body = {large_body_.get(), large_filled_};
  } else {
    if (filled_ < request_.head.size + body.length) return false;
    request_.body = {buffer_.data() + request_.head.size, static_cast<std::size_t>(body.length)};
    used_ = request_.head.size + request_.body.size();
  }
  body_complete();
  return true;
}

// Chunks are taken out of the buffer as they come; the head before them stays where it is.
bool Caller::decode_chunks() {
  std::size_t at = request_.head.size;
  while (at < filled_) {
    const auto step = chunks_.next({buffer_.data() + at, filled_ - at});
    at += step.consumed;
    if (step.progress == http::Progress::kError) {
      refuse_half_read(http::status_for(step.error), kMalformed, http::text_of(step.error));
      return false;
    }
    if (!step.data.empty()) {
      if (!make_room(chunked_body_.size() + step.data.size())) return false;
      chunked_body_.append(step.data);
    }
    if (step.progress == http::Progress::kDone) {
      used_ = at;
      request_.body = chunked_body_;
      body_complete();
      return true;
    }
    if (step.consumed == 0) break;
  }
  std::memmove(buffer_.data() + request_.head.size, buffer_.data() + at, filled_ - at);
  filled_ -= at - request_.head.size;
  return false;
}

// Doubles the capacity for a chunked body, and accounts for what that takes.
bool Caller::make_room(std::size_t bytes) {
  if (bytes > context_.config.limits.body_bytes) {
    refuse_too_large();
    return false;
  }
  const std::size_t has = chunked_body_.capacity();
  if (bytes <= has && reservation_.bytes() >= has) return true;
  const std::size_t wanted = bytes <= has ? has : std::max(bytes, 2 * has);
  if (!reserve(wanted - reservation_.bytes())) return false;
  chunked_body_.reserve(wanted);
  return true;
}

bool Caller::closing() const {
  return !request_.head.keep_alive || context_.draining;
}

void Caller::answer_begins(bool body_sent) {
  state_ = State::kAnswering;
  if (!body_sent) return;
  large_body_.reset();
  reservation_.release();
}

// Moves the buffers on by what the socket takes at once; returns how much is left.
std::size_t Caller::write_now(std::array<boost::asio::const_buffer, 3>& buffers) {
  ErrorCode error;
  std::size_t written = socket_.write_some(buffers, error);
  if (error && error != boost::asio::error::would_block) {
    disconnect();
    return 0;
  }
  std::size_t left = 0;
  for (auto& buffer : buffers) {
    const std::size_t taken = std::min(written, buffer.size());
    buffer += taken;
    written -= taken;
    left += buffer.size();
  }
  return left;
}

bool Caller::send(std::array<boost::asio::const_buffer, 3> buffers,
                  std::shared_ptr<ReplicaConnection> from) {
  if (write_now(buffers) == 0) return true;
  limit(context_.clock.now() + context_.config.limits.write_timeout);
  boost::asio::async_write(
      socket_, buffers,
      [self = shared_from_this(), from = std::move(from)](const ErrorCode& error, std::size_t) {
        self->no_limit();
        if (error) self->disconnect();
        from->on_drained();
      });
  return false;
}

void Caller::answer_ends(bool close_after) {
  if (state_ == State::kGone) return;
  submitted_.reset();
  if (close_after) return linger();
  next_request();
  advance();
  read();
}

void Caller::cut() {
  submitted_.reset();
  disconnect();
}

void Caller::next_request() {
  std::memmove(buffer_.data(), buffer_.data() + used_, filled_ - used_);
  filled_ -= used_;
  used_ = 0;
  request_.body = {};
  chunked_body_.clear();
  large_body_.reset();
  reservation_.release();
  state_ = State::kIdle;
  limit(context_.clock.now() + context_.config.limits.idle_timeout);
}

void Caller::linger() {
  if (state_ == State::kGone) return;
  ErrorCode ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  state_ = State::kLingering;
  filled_ = 0;
  limit(context_.clock.now() + kLinger);
  read();
}

void Caller::disconnect() {
  if (state_ == State::kGone) return;
  state_ = State::kGone;
  if (submitted_) board_.cancel(*submitted_);
  board_.roster().leave(*this);
  --context_.open_callers;
  ErrorCode ignored;
  socket_.close(ignored);
}

void Caller::on_time_out() {
  const auto self = shared_from_this();
  switch (state_) {
    case State::kHead:
    case State::kBody:
      return refuse_half_read(408, "request_timeout", "The request took too long to arrive.");
    case State::kWaiting:
      return;
    default:
      return disconnect();
  }
}

void Caller::on_finish(const core::Finish& finish) {
  if (submitted_ != finish.request || state_ != State::kWaiting) return;
  submitted_.reset();
  refuse(problem_of(finish, context_.config.overload_status));
  advance();
  read();
}

}  // namespace sluice::gateway
