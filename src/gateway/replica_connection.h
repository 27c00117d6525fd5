// One connection to a replica: attempts, one after the other.
//
//   kNew ──► kConnecting ──► kAwaiting ──answer's head──► kHeld ──► kRelaying ──whole──► kIdle
//                                ▲                                                         │
//                                └───────────────────── next attempt ──────────────────────┘
//   Anything that goes wrong, an answer after which the replica closes, and an idle connection that
//   it closes: kClosed.
//
// **Held.** Nothing of an answer goes to the caller before the core has heard of it, later in the
// same turn. So an attempt that has failed can be made again elsewhere, and one that answers in the
// very turn in which its task is taken from it stays unheard: the caller sees one answer (R29).
// What the core hears:
//   - of 5xx, 429 and 503, and of an answer that is whole: AttemptFinished, though a failure's body
//     may still be coming. On Finish the answer is passed on, also a failure, byte for byte; on
//     Requeued it is dropped.
//   - of any other: AnswerStarted, after which the core takes nothing back.
// What is dropped is not waited for: where the answer is not whole, the connection is closed.
//
// A reused connection that dies before a byte of the answer has come was closed by the replica
// while it was idle; a request that may run twice is sent once more over a new one, and nobody is
// told.
//
// An attempt that nobody waits for any more, because its caller has gone or its task runs
// elsewhere, is *abandoned*: its answer is read and thrown away, because only its end proves that
// the replica's slot is free (or the connection is closed, where the replica is known to stop at
// that, or has not got the whole request).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/action.h"
#include "core/event.h"
#include "gateway/context.h"
#include "gateway/roster.h"
#include "gateway/stream.h"
#include "http/chunk_decoder.h"
#include "http/message.h"
#include "http/parse.h"

namespace sluice::gateway {

class Caller;
class Replica;
class Switchboard;

class ReplicaConnection : public Timed,
                          public Pollable,
                          public std::enable_shared_from_this<ReplicaConnection> {
 public:
  ReplicaConnection(Switchboard& board, Replica& replica);
  ~ReplicaConnection() override;

  // Runs one attempt. The caller's bytes must stay until the attempt has ended: it is kept.
  void run(const core::Dispatch& dispatch, std::shared_ptr<Caller> caller);
  // The core's CancelAttempt. Ignored when another attempt runs here by now.
  void abandon(core::AttemptId attempt);

  // --- once the core has heard of the answer ---------------------------------------------------
  // Whether the answer to this attempt waits here for what the core says to it.
  bool holds_answer(core::AttemptId attempt) const {
    return state_ == State::kHeld && attempt_.attempt == attempt && caller_ != nullptr;
  }
  // It is the caller's; or nobody's. Only while it is held.
  void pass_answer();
  void drop_answer();
  // The core had nothing to say to it. Ignored when it is not held any more.
  void settle(core::AttemptId attempt);

  // The caller's socket has taken what it was given by Caller::send().
  void on_drained();
  void close();
  void on_ready(bool readable, bool writable, bool hung_up) override;
  void on_time_out() override;
  void cut_off() override;

 private:
  enum class State : std::uint8_t {
    kNew,
    kConnecting,
    kAwaiting,
    kHeld,
    kRelaying,
    kIdle,
    kClosed
  };
  // What happens to the framing of the body on its way to the caller.
  enum class Framing : std::uint8_t { kAsItIs, kToChunks, kFromChunks };

  // Request (replica_connection.cc).
  void connect();
  void send_request();
  std::string_view other_model() const;
  void pump();
  void on_bytes();
  void on_end(Stream::Got how);
  void report(core::AttemptResult result);
  void end_attempt(core::AttemptResult result);
  void fail(core::AttemptResult result);

  // Answer (relay.cc).
  void on_answer_bytes();
  void begin_answer();
  void write_answer_head();
  void hold(std::string_view body);
  void relay();
  bool take_body(std::string_view& bytes);
  bool take_chunks(std::string_view& bytes);
  void pass_on(std::string_view body);
  std::string_view open_chunk(std::string_view body);
  void carry_on();
  void answer_complete();

  Switchboard& board_;
  Context& context_;
  Replica& replica_;
  Stream stream_;
  State state_ = State::kNew;
  bool reused_ = false;   // has answered before
  bool waiting_ = false;  // for the caller to take what it was given
  // Whose bytes the socket has not taken yet: they must stay although their owner may have gone.
  std::shared_ptr<Caller> sending_for_;

  core::Dispatch attempt_{};
  bool attempt_open_ = false;       // its end has not been reported
  std::shared_ptr<Caller> caller_;  // null when nobody wants the answer
  TimePoint dispatched_;
  std::string request_head_;

  std::vector<char> buffer_;
  std::size_t filled_ = 0;
  http::ResponseHead head_;
  std::string answer_head_;  // and size lines of chunks; empty once it has been sent
  bool head_request_ = false;
  bool close_caller_ = false;
  Framing framing_ = Framing::kAsItIs;
  http::ChunkDecoder chunks_;
  std::uint64_t left_ = 0;  // of a body of known length
  bool whole_ = false;      // the answer's last byte has come
  bool surplus_ = false;    // and bytes after it: not a connection to use again
  std::string reframed_;    // the body without its chunks
  std::string_view held_;   // of the body, what came with the head; in buffer_
};

}  // namespace sluice::gateway
