// A connected TCP socket as a proxy wants it: never blocks, never asks the kernel what it knows.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include <sys/socket.h>

#include "gateway/poller.h"

namespace sluice::gateway {

class Stream {
 public:
  // What goes out in one system call: a head, a body, and what follows it.
  using Pieces = std::array<std::string_view, 3>;
  enum class Got : unsigned char { kBytes, kNothing, kEnd, kBroken };

  struct ReadResult {
    Got got = Got::kNothing;  // kEnd: the other side has closed, in order
    std::size_t bytes = 0;
  };

  explicit Stream(Poller& poller) : poller_(poller) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { close(); }

  // Takes over a connected descriptor; `owner` is told of edges. False: no room, and it is closed.
  bool adopt(int descriptor, std::shared_ptr<Pollable> owner);
  // Begins to connect; the first writable edge says that it has ended, connected() how. False: it
  // failed at once.
  bool connect(const sockaddr* address, socklen_t length, std::shared_ptr<Pollable> owner);
  bool connected() const;

  // Of Pollable::on_ready(), before anything else is asked.
  void note(bool readable, bool hung_up);
  // A send has failed: whoever waits for an answer to it may stop.
  bool broken() const { return broken_; }
  // Whether read() may find something.
  bool readable() const { return readable_; }

  ReadResult read(char* to, std::size_t space);

  // Sends what the socket takes; the rest stays pending, as views, until flush(). Nothing may be
  // pending. A broken connection swallows everything; its end shows when it is read.
  // True: nothing is pending.
  bool send(const Pieces& pieces);
  // On a writable edge: the same for what is pending.
  bool flush();
  bool pending() const;

  // More was readable than one turn should take: the owner is told again in the next.
  void again() { poller_.again(token_); }
  // Sends the end of the stream behind what was sent.
  void shut_down_sending();
  void close();

 private:
  Poller& poller_;
  int descriptor_ = -1;
  Poller::Token token_ = 0;
  bool readable_ = false;
  bool hung_up_ = false;
  bool broken_ = false;
  Pieces pending_{};
};

}  // namespace sluice::gateway
