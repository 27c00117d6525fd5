#include "gateway/replica_connection.h"

#include <algorithm>
#include <utility>

#include <boost/asio/write.hpp>

#include "gateway/caller.h"
#include "gateway/forward.h"
#include "gateway/replica.h"
#include "gateway/switchboard.h"

namespace sluice::gateway {
namespace {

constexpr std::size_t kBuffer = std::size_t{16} << 10;

}  // namespace

ReplicaConnection::ReplicaConnection(Switchboard& board, Replica& replica)
    : board_(board),
      context_(board.context()),
      replica_(replica),
      socket_(context_.io.get_executor()),
      buffer_(kBuffer) {
  board_.roster().join(*this);
}

ReplicaConnection::~ReplicaConnection() {
  board_.roster().leave(*this);
}

void ReplicaConnection::run(const core::Dispatch& dispatch, std::shared_ptr<Caller> caller) {
  attempt_ = dispatch;
  attempt_open_ = true;
  caller_ = std::move(caller);
  head_request_ = caller_->head_only();
  dispatched_ = context_.clock.now();
  filled_ = 0;
  board_.attempt_runs_on(dispatch.attempt, this);
  if (state_ == State::kNew) return connect();
  reused_ = true;
  send_request();
}

void ReplicaConnection::connect() {
  state_ = State::kConnecting;
  limit(dispatched_ + context_.config.limits.connect_timeout);
  socket_.async_connect(replica_.endpoint(), [self = shared_from_this()](const ErrorCode& error) {
    if (self->state_ != State::kConnecting) return;
    if (error) return self->fail(core::AttemptResult::kUnreachable);
    ErrorCode ignored;
    self->socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    self->socket_.non_blocking(true, ignored);
    self->send_request();
  });
}

void ReplicaConnection::send_request() {
  state_ = State::kAwaiting;
  head_.scanned = 0;
  limit(dispatched_ + context_.config.limits.attempt_timeout);
  request_head_.clear();
  append_request_head(request_head_, caller_->request(), replica_.address(), replica_.host(),
                      attempt_, context_.clock.now());
  std::array<boost::asio::const_buffer, 2> buffers{boost::asio::buffer(request_head_),
                                                   boost::asio::buffer(caller_->request().body)};
  ErrorCode error;
  std::size_t sent = socket_.write_some(buffers, error);
  if (error && error != boost::asio::error::would_block) {
    return reused_ ? on_broken(error) : fail(core::AttemptResult::kUnreachable);
  }
  read();
  if (sent == buffers[0].size() + buffers[1].size()) return;
  for (auto& buffer : buffers) {
    const std::size_t taken = std::min(sent, buffer.size());
    buffer += taken;
    sent -= taken;
  }
  writing_ = true;
  // Holds the caller: the bytes are its own, and it may leave before the replica has taken them.
  boost::asio::async_write(
      socket_, buffers,
      [self = shared_from_this(), caller = caller_](const ErrorCode& e, std::size_t) {
        self->writing_ = false;
        // An answer may have come all the same; the read side decides.
        if (e && self->state_ == State::kAwaiting && !self->reading_) self->on_broken(e);
      });
}

void ReplicaConnection::read() {
  if (reading_) return;
  reading_ = true;
  socket_.async_read_some(boost::asio::buffer(buffer_.data() + filled_, buffer_.size() - filled_),
                          [self = shared_from_this()](const ErrorCode& error, std::size_t bytes) {
                            self->on_read(error, bytes);
                          });
}

void ReplicaConnection::on_read(const ErrorCode& error, std::size_t bytes) {
  reading_ = false;
  switch (state_) {
    case State::kIdle:
      // Closed by the replica, or bytes that nobody asked for.
      replica_.forget(this);
      return close();
    case State::kAwaiting:
    case State::kRelaying:
      if (error) return on_broken(error);
      filled_ += bytes;
      return state_ == State::kAwaiting ? on_answer_bytes() : relay();
    default:
      return;
  }
}

void ReplicaConnection::on_broken(const ErrorCode& error) {
  if (state_ == State::kRelaying && head_.body.kind == http::BodyKind::kUntilClose &&
      error == boost::asio::error::eof) {
    whole_ = true;
    return pass_on({});
  }
  if (state_ == State::kAwaiting && reused_ && filled_ == 0 && caller_ != nullptr) {
    attempt_open_ = false;
    close();
    return replica_.run_on_new(attempt_, std::exchange(caller_, nullptr));
  }
  fail(core::AttemptResult::kBadAnswer);
}

void ReplicaConnection::abandon(core::AttemptId attempt) {
  if (!attempt_open_ || attempt_.attempt != attempt) return;
  caller_.reset();
  if (state_ == State::kConnecting || replica_.stops_on_close()) {
    end_attempt(core::AttemptResult::kStopped);
    close();
  }
}

void ReplicaConnection::on_time_out() {
  const auto self = shared_from_this();
  fail(state_ == State::kConnecting ? core::AttemptResult::kUnreachable
                                    : core::AttemptResult::kTimeout);
}

void ReplicaConnection::fail(core::AttemptResult result) {
  const bool begun = state_ == State::kRelaying;
  end_attempt(result);
  close();
  // Not before the result is told: the task has failed, its caller has not left.
  const auto caller = std::exchange(caller_, nullptr);
  if (begun && caller != nullptr) caller->cut();
}

void ReplicaConnection::end_attempt(core::AttemptResult result) {
  attempt_open_ = false;
  no_limit();
  board_.attempt_runs_on(attempt_.attempt, nullptr);
  board_.post(core::AttemptFinished{.attempt = attempt_.attempt, .result = result});
}

void ReplicaConnection::cut_off() {
  caller_.reset();
  close();
}

void ReplicaConnection::close() {
  state_ = State::kClosed;
  no_limit();
  ErrorCode ignored;
  socket_.close(ignored);
}

}  // namespace sluice::gateway
