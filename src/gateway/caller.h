// One caller's connection: requests in, answers out, one after the other.
//
//   kIdle ──byte──► kHead ──parsed──► kBody ──whole──► kWaiting ──answer's head──► kAnswering ──┐
//     ▲               │                 │                 │ refused, expired, failed            │
//     │               └── answered here: malformed, too large, unknown, health ──┐              │
//     └──────────────────────────────────────────────────────────────────────────┴──────────────┘
//   Where bytes of the request are left unread, or nothing more may come: kLingering (the answer is
//   sent, what still comes is thrown away) and then kGone; a broken connection is kGone at once.
//
// The socket is read whenever there is room: in kWaiting that is how a caller that leaves is
// noticed (unless it has filled the buffer with
// requests that it has not waited to send), and bytes of the next request wait there for their
// turn. When the connection ends, the object lives on for as long as somebody holds it: a request
// that is being sent to a replica still reads its bytes from here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/action.h"
#include "gateway/body_budget.h"
#include "gateway/context.h"
#include "gateway/problem.h"
#include "gateway/request.h"
#include "gateway/roster.h"
#include "gateway/route.h"
#include "gateway/stream.h"
#include "http/chunk_decoder.h"
#include "http/message.h"
#include "http/parse.h"

namespace sluice::gateway {

class ReplicaConnection;
class Switchboard;

class Caller : public Timed, public Pollable, public std::enable_shared_from_this<Caller> {
 public:
  explicit Caller(Switchboard& board);
  ~Caller() override;

  // Takes over a connected, non-blocking descriptor.
  void start(int descriptor);
  void on_ready(bool readable, bool writable, bool hung_up) override;
  // No request is under way: the connection may be closed without harm.
  bool idle() const { return state_ == State::kIdle; }
  void on_time_out() override;
  void cut_off() override { cut(); }

  // --- for the switchboard ---------------------------------------------------------------------
  // How the task of the present request ended: with `answer`, which is passed on, or without one
  // (null), which the caller is told unless it has begun to get one.
  void on_finish(const core::Finish& finish, ReplicaConnection* answer);

  // --- for the replica connection that answers -------------------------------------------------
  bool gone() const { return state_ == State::kGone; }
  const Request& request() const { return request_; }
  bool wants_http_1_0() const { return request_.head.minor_version == 0; }
  bool head_only() const { return request_.head.method == "HEAD"; }
  // Whether the answer should say that the connection ends after it.
  bool closing() const;
  // The head of an answer is about to be sent. `body_sent`: the request's body is not needed again.
  void answer_begins(bool body_sent);
  // Sends the pieces, in order. True: all is sent. False: `from` is told by on_drained() when they
  // are, or cannot be; they must stay until then. Ask gone() afterwards in both cases.
  bool send(const Stream::Pieces& pieces, std::shared_ptr<ReplicaConnection> from);
  // The answer is whole; the next request may be read.
  void answer_ends(bool close_after);
  // The answer cannot be finished: cut the connection, so that nobody takes half for a whole.
  void cut();

 private:
  enum class State : std::uint8_t { kIdle, kHead, kBody, kWaiting, kAnswering, kLingering, kGone };

  // Reading.
  void pump();
  std::span<char> read_space();
  void take(std::size_t bytes);

  // Takes from the buffer what can be taken, request after request.
  void advance();
  // Each: true when the state has changed and there may be more to take.
  bool begin_head();
  bool advance_head();
  bool advance_body();
  bool decode_chunks();
  // What stands between the head and `end`.
  void drop_from_buffer(std::size_t end);

  // A head is there.
  void on_head();
  void accept(std::string_view model_name);
  bool read_labels();
  void begin_body();
  bool reserve(std::uint64_t bytes);
  bool make_room(std::size_t bytes);
  void release_body();
  void refuse_too_large();
  void body_complete();

  // Answers of our own; each ends the request.
  void answer_here(const Route& route);
  void answer_text(int status, std::string_view type, std::string_view body);
  void refuse(const Problem& problem);
  void refuse(int status, std::string_view reason, std::string detail);
  void refuse_half_read(int status, std::string_view reason, std::string_view detail);
  void send_own(bool close_after);
  bool skip_body();

  void on_drained();
  void next_request();
  void linger();
  void disconnect();

  // Left free behind a request in the buffer, so that a read can be outstanding while it waits.
  static constexpr std::size_t kSpare = 512;

  Switchboard& board_;
  Context& context_;
  Stream stream_;
  State state_ = State::kIdle;

  // Bytes as they came: the present request first, then those of the next ones. Not moved while
  // request_ looks into it.
  std::vector<char> buffer_;
  std::size_t filled_ = 0;
  std::size_t used_ = 0;  // by the present request
  Request request_;
  core::Labels labels_;

  // A body that does not fit beside its head is read straight to where it stays.
  std::unique_ptr<char[]> large_body_;
  std::size_t large_filled_ = 0;
  std::string chunked_body_;
  http::ChunkDecoder chunks_;
  BodyReservation reservation_;

  std::optional<core::RequestId> submitted_;
  std::string out_;  // an answer of our own
  bool close_after_own_ = false;
  // Who sent the bytes that the socket has not taken yet; null: they are our own.
  std::shared_ptr<ReplicaConnection> sender_;
  std::size_t lingered_bytes_ = 0;
};

}  // namespace sluice::gateway
