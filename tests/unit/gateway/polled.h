// Sockets in pairs, and somebody who notes what the poller says.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "gateway/poller.h"

namespace sluice::gateway {

// A descriptor that is closed in the end, unless somebody has taken it over.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void close() {
    if (number_ >= 0) ::close(release());
  }

 private:
  int number_;
};

// Two connected ends that never block: what is written to one comes out of the other.
struct SocketPair {
  SocketPair() {
    int ends[2];
    SLUICE_CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0,
                 "no sockets left");
    ours = Descriptor(ends[0]);
    theirs = Descriptor(ends[1]);
  }

  Descriptor ours;
  Descriptor theirs;
};

inline void put(const Descriptor& end, std::string_view bytes) {
  SLUICE_CHECK(::send(end.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
                   static_cast<ssize_t>(bytes.size()),
               "the test wrote more than fits");
}

// All that is there now.
inline std::string take(const Descriptor& end) {
  std::string all;
  char bytes[65536];
  for (;;) {
    const ssize_t got = ::recv(end.get(), bytes, sizeof bytes, 0);
    if (got <= 0) return all;
    all.append(bytes, static_cast<std::size_t>(got));
  }
}

class Told : public Pollable {
 public:
  struct Edge {
    bool readable = false;
    bool writable = false;
    bool hung_up = false;
    bool operator==(const Edge&) const = default;
  };

  void on_ready(bool readable, bool writable, bool hung_up) override {
    edges.push_back({readable, writable, hung_up});
    if (then) then();
  }
  // What it was told since it was asked last.
  std::vector<Edge> news() { return std::exchange(edges, {}); }

  std::vector<Edge> edges;
  std::function<void()> then;
};

}  // namespace sluice::gateway
