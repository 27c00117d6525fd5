#include "gateway/replica_connection.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "gateway/caller.h"
#include "gateway/forward.h"
#include "gateway/replica.h"
#include "gateway/switchboard.h"

namespace sluice::gateway {
namespace {

constexpr std::size_t kBuffer = std::size_t{16} << 10;
// One replica that sends fast must not keep the others waiting.
constexpr int kReadsATurn = 8;

}  // namespace

ReplicaConnection::ReplicaConnection(Switchboard& board, Replica& replica)
    : board_(board),
      context_(board.context()),
      replica_(replica),
      stream_(context_.poller),
      buffer_(kBuffer) {
  context_.roster.join(*this);
}

ReplicaConnection::~ReplicaConnection() {
  context_.roster.leave(*this);
}

void ReplicaConnection::run(const core::Dispatch& dispatch, std::shared_ptr<Caller> caller) {
  if (state_ == State::kIdle && stream_.readable()) {
    // Closed in this very turn, or about to give an answer that nobody asked for.
    const auto [got, bytes] = stream_.read(buffer_.data(), buffer_.size());
    if (got != Stream::Got::kNothing) {
      close();
      return replica_.run_on_new(dispatch, std::move(caller));
    }
  }
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
  const auto& endpoint = replica_.endpoint();
  const auto length = static_cast<socklen_t>(endpoint.size());
  if (!stream_.connect(endpoint.data(), length, shared_from_this())) {
    fail(core::AttemptResult::kUnreachable);
  }
}

void ReplicaConnection::on_ready(bool readable, bool writable, bool hung_up) {
  stream_.note(readable, hung_up);
  if (state_ == State::kConnecting) {
    if (!writable) return;
    if (!stream_.connected()) return fail(core::AttemptResult::kUnreachable);
    send_request();
  } else if (writable && stream_.pending() && stream_.flush()) {
    sending_for_.reset();
  }
  pump();
}

void ReplicaConnection::send_request() {
  state_ = State::kAwaiting;
  head_.scanned = 0;
  limit(dispatched_ + context_.config.limits.attempt_timeout);
  request_head_.clear();
  append_request_head(request_head_, caller_->request(), replica_.address(), replica_.host(),
                      attempt_, other_model(), context_.clock.now());
  if (!stream_.send({request_head_, caller_->request().body})) sending_for_ = caller_;
  // A replica may have answered before it closed; otherwise the read side ends the attempt.
  if (stream_.broken()) pump();
}

// Empty: the model that the caller asked for.
std::string_view ReplicaConnection::other_model() const {
  if (attempt_.model == caller_->request().model) return {};
  return context_.config.core.models[attempt_.model.value].name;
}

void ReplicaConnection::pump() {
  for (int reads = 0; !waiting_ && state_ != State::kHeld && stream_.readable(); ++reads) {
    if (reads == kReadsATurn) return stream_.again();
    const auto [got, bytes] = stream_.read(buffer_.data() + filled_, buffer_.size() - filled_);
    if (got == Stream::Got::kNothing) return;
    if (got != Stream::Got::kBytes) return on_end(got);
    filled_ += bytes;
    on_bytes();
  }
}

void ReplicaConnection::on_bytes() {
  if (state_ == State::kAwaiting) return on_answer_bytes();
  if (state_ == State::kRelaying) return relay();
  // Nobody asked for anything.
  replica_.forget(this);
  close();
}

void ReplicaConnection::on_end(Stream::Got how) {
  if (state_ == State::kIdle) {
    replica_.forget(this);
    return close();
  }
  if (state_ == State::kRelaying && head_.body.kind == http::BodyKind::kUntilClose &&
      how == Stream::Got::kEnd) {
    whole_ = true;
    return pass_on({});
  }
  const bool again = caller_ != nullptr && caller_->request().repeatable;
  if (state_ == State::kAwaiting && reused_ && filled_ == 0 && again) {
    close();
    attempt_open_ = false;
    return replica_.run_on_new(attempt_, std::exchange(caller_, nullptr));
  }
  const bool unsent = state_ == State::kAwaiting && filled_ == 0 && stream_.broken();
  fail(unsent ? core::AttemptResult::kUnreachable : core::AttemptResult::kBadAnswer);
}

void ReplicaConnection::abandon(core::AttemptId attempt) {
  if (attempt_.attempt != attempt) return;
  SLUICE_CHECK(state_ != State::kRelaying || caller_ == nullptr || caller_->gone(),
               "an answer that its caller has begun to get is not taken back");
  caller_.reset();
  if (!attempt_open_) return;  // its end is in the batch
  // What has not got the whole request cannot run it, and its bytes are the caller's.
  const bool unsent = state_ == State::kConnecting || stream_.pending();
  if (unsent || replica_.stops_on_close()) {
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

void ReplicaConnection::report(core::AttemptResult result) {
  if (!std::exchange(attempt_open_, false)) return;
  board_.post(core::AttemptFinished{.attempt = attempt_.attempt, .result = result});
}

void ReplicaConnection::end_attempt(core::AttemptResult result) {
  no_limit();
  report(result);
  board_.attempt_is_over(attempt_.attempt, this);
}

void ReplicaConnection::cut_off() {
  caller_.reset();
  close();
}

void ReplicaConnection::close() {
  state_ = State::kClosed;
  no_limit();
  stream_.close();
  sending_for_.reset();
}

}  // namespace sluice::gateway
