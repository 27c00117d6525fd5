#include "gateway/caller.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gateway/replica_connection.h"
#include "gateway/switchboard.h"

namespace sluice::gateway {
namespace {

constexpr std::size_t kFirstBuffer = 8192;
constexpr std::string_view kMalformed = "malformed_request";
// After the last answer: time for the caller to read it before the connection is reset.
constexpr Duration kLinger = std::chrono::seconds(2);
constexpr std::size_t kMostLingered = std::size_t{1} << 20;
// One caller that sends fast must not keep the others waiting.
constexpr int kReadsATurn = 8;

}  // namespace

Caller::Caller(Switchboard& board)
    : board_(board), context_(board.context()), stream_(context_.poller), buffer_(kFirstBuffer) {}

Caller::~Caller() = default;

void Caller::start(int descriptor) {
  if (!stream_.adopt(descriptor, shared_from_this())) return;
  ++context_.open_callers;
  context_.roster.join(*this);
  limit(context_.clock.now() + context_.config.limits.idle_timeout);
}

void Caller::on_ready(bool readable, bool writable, bool hung_up) {
  if (state_ == State::kGone) return;
  stream_.note(readable, hung_up);
  if (writable && stream_.pending()) on_drained();
  pump();
}

std::span<char> Caller::read_space() {
  if (state_ == State::kBody && large_body_ != nullptr) {
    return {large_body_.get() + large_filled_,
            static_cast<std::size_t>(request_.head.body.length - large_filled_)};
  }
  const bool at_head = state_ == State::kIdle || state_ == State::kHead;
  const std::size_t end = buffer_.size() - (at_head ? kSpare : 0);
  return {buffer_.data() + filled_, end - std::min(end, filled_)};
}

void Caller::pump() {
  for (int reads = 0; state_ != State::kGone && stream_.readable(); ++reads) {
    const auto space = read_space();
    if (space.empty()) return;
    if (reads == kReadsATurn) return stream_.again();
    const auto [got, bytes] = stream_.read(space.data(), space.size());
    if (got == Stream::Got::kNothing) return;
    if (got != Stream::Got::kBytes) return disconnect();
    take(bytes);
    advance();
  }
}

void Caller::take(std::size_t bytes) {
  if (state_ == State::kBody && large_body_ != nullptr) {
    large_filled_ += bytes;
  } else if (state_ != State::kLingering) {
    filled_ += bytes;
  } else if ((lingered_bytes_ += bytes) > kMostLingered) {
    disconnect();
  }
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
      if (filled_ + kSpare >= buffer_.size()) {
        buffer_.resize(std::min(2 * buffer_.size(), most + kSpare));
      }
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
      drop_from_buffer(at);
      request_.body = chunked_body_;
      body_complete();
      return true;
    }
    if (step.consumed == 0) break;
  }
  drop_from_buffer(at);
  return false;
}

void Caller::drop_from_buffer(std::size_t end) {
  std::memmove(buffer_.data() + request_.head.size, buffer_.data() + end, filled_ - end);
  filled_ -= end - request_.head.size;
}

// Doubles the room for a chunked body, and accounts for it.
bool Caller::make_room(std::size_t bytes) {
  const std::uint64_t most = context_.config.limits.body_bytes;
  if (bytes > most) {
    refuse_too_large();
    return false;
  }
  const std::uint64_t has = reservation_.bytes();
  if (bytes <= has) return true;
  const std::uint64_t wanted = std::min(most, std::max<std::uint64_t>(bytes, 2 * has));
  if (!reserve(wanted - has)) return false;
  chunked_body_.reserve(wanted);
  return true;
}

bool Caller::closing() const {
  return !request_.head.keep_alive || context_.draining;
}

void Caller::answer_begins(bool body_sent) {
  state_ = State::kAnswering;
  if (body_sent) release_body();
}

// An idle connection keeps no memory of what went over it.
void Caller::release_body() {
  large_body_.reset();
  std::string().swap(chunked_body_);
  reservation_.release();
}

bool Caller::send(const Stream::Pieces& pieces, std::shared_ptr<ReplicaConnection> from) {
  if (!stream_.send(pieces)) {
    sender_ = std::move(from);
    limit(context_.clock.now() + context_.config.limits.write_timeout);
    return false;
  }
  if (stream_.broken()) disconnect();
  return true;
}

// The socket has taken something of what is pending; when all of it, who sent it may go on.
void Caller::on_drained() {
  if (!stream_.flush()) return limit(context_.clock.now() + context_.config.limits.write_timeout);
  no_limit();
  if (stream_.broken()) return disconnect();
  if (const auto from = std::exchange(sender_, nullptr)) return from->on_drained();
  answer_ends(close_after_own_);
}

void Caller::answer_ends(bool close_after) {
  if (state_ == State::kGone) return;
  submitted_.reset();
  if (close_after) return linger();
  next_request();
  advance();
  pump();
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
  release_body();
  state_ = State::kIdle;
  limit(context_.clock.now() + context_.config.limits.idle_timeout);
}

void Caller::linger() {
  if (state_ == State::kGone) return;
  stream_.shut_down_sending();
  release_body();
  state_ = State::kLingering;
  filled_ = 0;
  limit(context_.clock.now() + kLinger);
  pump();
}

void Caller::disconnect() {
  if (state_ == State::kGone) return;
  state_ = State::kGone;
  if (submitted_) board_.cancel(*submitted_);
  context_.roster.leave(*this);
  --context_.open_callers;
  stream_.close();
  // It waits for us to take bytes: it goes on without us.
  if (const auto from = std::exchange(sender_, nullptr)) from->on_drained();
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

void Caller::on_finish(const core::Finish& finish, ReplicaConnection* answer) {
  if (submitted_ != finish.request || state_ != State::kWaiting) return;
  submitted_.reset();
  if (answer != nullptr) return answer->pass_answer();
  const core::Rule* const rule = board_.scheduler().rule(finish.rule);
  refuse(problem_of(finish, rule, context_.config.overload_status));
  advance();
  pump();
}

}  // namespace sluice::gateway
