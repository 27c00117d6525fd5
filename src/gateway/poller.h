// Readiness of sockets, and who owns them.
//
// Asio starts each read with an attempt, which for a proxy finds nothing half of the time: two
// system calls a request, of six. Here a socket is registered once, edge-triggered, and is read
// when there is something to read. Everything that is not on the way of a request (admin, probe,
// signals, names) stays with Asio.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <sys/epoll.h>

#include "base/time.h"

namespace sluice::gateway {

// Somebody whose socket is watched.
class Pollable {
 public:
  Pollable() = default;
  Pollable(const Pollable&) = delete;
  Pollable& operator=(const Pollable&) = delete;
  virtual ~Pollable() = default;

  // An edge: what was not readable or writable before may be so now. A hang-up or an error shows as
  // both, and `hung_up`: no edge will follow.
  virtual void on_ready(bool readable, bool writable, bool hung_up) = 0;
};

class Poller {
 public:
  // Names a registration; a stale one names nothing.
  using Token = std::uint64_t;

  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Keeps the owner alive until remove(). The descriptor stays the owner's. False: the system has
  // no room for it.
  bool add(int descriptor, std::shared_ptr<Pollable> owner, Token& token);
  // Before the descriptor is closed. The owner lives until the end of the turn: it may be the one
  // that asks.
  void remove(Token token);

  // The owner is told once more in the next turn, without an edge.
  void again(Token token) { again_.push_back(token); }

  // Waits for edges, at most for so long (rounded up to milliseconds), and tells the owners.
  // Returns how many were told. A turn ends here: those removed in it die.
  std::size_t wait(Duration at_most);

 private:
  struct Entry {
    std::shared_ptr<Pollable> owner;
    std::uint32_t generation = 0;
  };

  void tell(Token token, std::uint32_t events);

  static constexpr int kEventsATurn = 256;

  int epoll_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  std::vector<std::shared_ptr<Pollable>> removed_;
  std::vector<epoll_event> events_;
  std::vector<Token> again_;
  std::vector<Token> telling_again_;
};

}  // namespace sluice::gateway
