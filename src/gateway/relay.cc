// The way of an answer: from the replica's connection to the caller's.
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "gateway/caller.h"
#include "gateway/forward.h"
#include "gateway/replica.h"
#include "gateway/replica_connection.h"
#include "gateway/switchboard.h"
#include "http/write.h"

namespace sluice::gateway {
namespace {

constexpr std::size_t kMostHead = std::size_t{64} << 10;

core::AttemptResult result_of(int status) {
  if (status == 429 || status == 503) return core::AttemptResult::kBusy;
  if (status >= 500) return core::AttemptResult::kError;
  return status < 300 ? core::AttemptResult::kAnswered : core::AttemptResult::kRejected;
}

// Of what an answer can come to: might be made again.
bool is_failure(core::AttemptResult result) {
  return result == core::AttemptResult::kBusy || result == core::AttemptResult::kError;
}

}  // namespace

void ReplicaConnection::on_answer_bytes() {
  for (;;) {
    const auto result = http::parse({buffer_.data(), filled_}, kMostHead, head_request_, head_);
    if (result.progress == http::Progress::kError) return fail(core::AttemptResult::kBadAnswer);
    if (result.progress == http::Progress::kNeedMore) {
      if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
      return;
    }
    if (head_.status >= 200) return begin_answer();
    // Interim answers are between the replica and us, and say that it works: send no second time.
    reused_ = false;
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(head_.size),
              buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
    filled_ -= head_.size;
    head_.scanned = 0;
  }
}

void ReplicaConnection::begin_answer() {
  left_ = head_.body.length;
  chunks_ = http::ChunkDecoder();
  framing_ = Framing::kAsItIs;
  whole_ = head_.body.kind == http::BodyKind::kNone ||
           (head_.body.kind == http::BodyKind::kLength && left_ == 0);
  surplus_ = false;
  answer_head_.clear();
  if (caller_ != nullptr && caller_->gone()) caller_.reset();
  if (caller_ != nullptr) write_answer_head();
  std::string_view body(buffer_.data(), filled_);
  body.remove_prefix(head_.size);
  // What is wrong this early, the caller can still be told.
  take_body(body) ? hold(body) : fail(core::AttemptResult::kBadAnswer);
}

void ReplicaConnection::write_answer_head() {
  const http::BodyKind kind = head_.body.kind;
  const bool measured = kind == http::BodyKind::kNone || kind == http::BodyKind::kLength;
  const bool old_caller = caller_->wants_http_1_0();
  close_caller_ = caller_->closing() || (old_caller && !measured);
  append_answer_head(answer_head_, head_);
  append_task_headers(answer_head_, attempt_, replica_.name(), other_model(),
                      dispatched_ - caller_->request().arrival, context_.clock.now() - dispatched_);
  if (!measured && !old_caller) http::append_header(answer_head_, "transfer-encoding", "chunked");
  if (kind == http::BodyKind::kUntilClose && !old_caller) framing_ = Framing::kToChunks;
  if (kind == http::BodyKind::kChunked && old_caller) framing_ = Framing::kFromChunks;
  if (close_caller_) {
    http::append_header(answer_head_, "connection", "close");
  } else if (old_caller) {
    http::append_header(answer_head_, "connection", "keep-alive");
  }
  answer_head_ += "\r\n";
}

// Until the end of the turn, when the core has heard of it.
void ReplicaConnection::hold(std::string_view body) {
  state_ = State::kHeld;
  held_ = body;
  no_limit();
  const core::AttemptResult result = result_of(head_.status);
  if (whole_ || is_failure(result)) {
    report(result);
  } else {
    board_.post(core::AnswerStarted{.attempt = attempt_.attempt});
  }
  board_.hold(shared_from_this(), attempt_.attempt);
}

void ReplicaConnection::pass_answer() {
  if (caller_ != nullptr && caller_->gone()) caller_.reset();
  state_ = State::kRelaying;
  limit(dispatched_ + context_.config.limits.attempt_timeout);
  if (caller_ != nullptr) caller_->answer_begins(!stream_.pending());
  filled_ = 0;
  pass_on(held_);
  pump();
}

void ReplicaConnection::drop_answer() {
  caller_.reset();
  state_ = State::kRelaying;
  if (whole_) return answer_complete();
  end_attempt(result_of(head_.status));
  close();
}

void ReplicaConnection::settle(core::AttemptId attempt) {
  if (state_ != State::kHeld || attempt_.attempt != attempt) return;
  attempt_open_ ? pass_answer() : drop_answer();
}

void ReplicaConnection::relay() {
  std::string_view bytes(buffer_.data(), filled_);
  if (!take_body(bytes)) return fail(core::AttemptResult::kBadAnswer);
  filled_ = 0;
  pass_on(bytes);
}

// Cuts `bytes` down to what belongs to the body. False: the framing is broken.
bool ReplicaConnection::take_body(std::string_view& bytes) {
  const std::size_t came = bytes.size();
  switch (head_.body.kind) {
    case http::BodyKind::kNone:
      bytes = {};
      break;
    case http::BodyKind::kLength:
      bytes = bytes.substr(0, left_);
      left_ -= bytes.size();
      whole_ = left_ == 0;
      break;
    case http::BodyKind::kChunked:
      if (!take_chunks(bytes)) return false;
      break;
    case http::BodyKind::kUntilClose:
      break;
  }
  surplus_ = whole_ && (surplus_ || bytes.size() < came);
  return true;
}

bool ReplicaConnection::take_chunks(std::string_view& bytes) {
  reframed_.clear();
  std::size_t at = 0;
  while (at < bytes.size() && !whole_) {
    const auto step = chunks_.next(bytes.substr(at));
    if (step.progress == http::Progress::kError) return false;
    if (framing_ == Framing::kFromChunks) reframed_.append(step.data);
    at += step.consumed;
    whole_ = step.progress == http::Progress::kDone;
  }
  bytes = bytes.substr(0, at);
  return true;
}

void ReplicaConnection::pass_on(std::string_view body) {
  if (caller_ == nullptr) return carry_on();
  if (framing_ == Framing::kFromChunks) body = reframed_;
  const std::string_view after = framing_ == Framing::kToChunks ? open_chunk(body) : "";
  waiting_ = !caller_->send({answer_head_, body, after}, shared_from_this());
  if (!waiting_) carry_on();
}

// Appends the size line of a chunk to what goes before the body; returns what goes after it.
std::string_view ReplicaConnection::open_chunk(std::string_view body) {
  if (whole_) return "0\r\n\r\n";
  if (body.empty()) return "";
  fmt::format_to(std::back_inserter(answer_head_), "{:x}\r\n", body.size());
  return "\r\n";
}

void ReplicaConnection::on_drained() {
  waiting_ = false;
  carry_on();
  pump();
}

void ReplicaConnection::carry_on() {
  answer_head_.clear();
  if (caller_ != nullptr && caller_->gone()) caller_.reset();
  if (state_ == State::kRelaying && whole_) answer_complete();
}

void ReplicaConnection::answer_complete() {
  const bool reusable = head_.keep_alive && !surplus_ && !stream_.pending() &&
                        head_.body.kind != http::BodyKind::kUntilClose && !context_.draining;
  end_attempt(result_of(head_.status));
  if (reusable) {
    state_ = State::kIdle;
    replica_.keep(shared_from_this());
  } else {
    close();
  }
  const auto caller = std::exchange(caller_, nullptr);
  if (caller != nullptr) caller->answer_ends(close_caller_);
}

}  // namespace sluice::gateway
