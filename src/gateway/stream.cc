#include "gateway/stream.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/uio.h>
#include <unistd.h>

namespace sluice::gateway {

bool Stream::adopt(int descriptor, std::shared_ptr<Pollable> owner) {
  descriptor_ = descriptor;
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  readable_ = false;
  hung_up_ = false;
  broken_ = false;
  if (poller_.add(descriptor, std::move(owner), token_)) return true;
  ::close(std::exchange(descriptor_, -1));
  return false;
}

bool Stream::connect(const sockaddr* address, socklen_t length, std::shared_ptr<Pollable> owner) {
  const int descriptor =
      ::socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (descriptor < 0) return false;
  if (::connect(descriptor, address, length) != 0 && errno != EINPROGRESS) {
    ::close(descriptor);
    return false;
  }
  return adopt(descriptor, std::move(owner));
}

bool Stream::connected() const {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

void Stream::note(bool readable, bool hung_up) {
  readable_ = readable_ || readable;
  hung_up_ = hung_up_ || hung_up;
}

Stream::ReadResult Stream::read(char* to, std::size_t space) {
  if (!readable_ || descriptor_ < 0) return {};
  const ssize_t got = ::recv(descriptor_, to, space, 0);
  if (got > 0) {
    const auto bytes = static_cast<std::size_t>(got);
    // Less than there was room for: nothing is left, unless the end comes behind it.
    readable_ = bytes == space || hung_up_;
    return {Got::kBytes, bytes};
  }
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
    readable_ = false;
    return {};
  }
  return {got == 0 ? Got::kEnd : Got::kBroken, 0};
}

bool Stream::pending() const {
  return std::any_of(pending_.begin(), pending_.end(), [](auto piece) { return !piece.empty(); });
}

bool Stream::send(const Pieces& pieces) {
  pending_ = pieces;
  return flush();
}

bool Stream::flush() {
  std::array<iovec, 3> parts;
  std::size_t count = 0;
  for (const std::string_view piece : pending_) {
    if (piece.empty()) continue;
    parts[count++] = {const_cast<char*>(piece.data()), piece.size()};
  }
  if (count == 0) return true;
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  const ssize_t sent = descriptor_ < 0 ? -1 : ::sendmsg(descriptor_, &message, MSG_NOSIGNAL);
  if (sent < 0) {
    if (descriptor_ >= 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
    // Broken: the read side finds out, with whatever the other side said before.
    pending_ = {};
    readable_ = true;
    broken_ = true;
    return true;
  }
  auto left = static_cast<std::size_t>(sent);
  for (std::string_view& piece : pending_) {
    const std::size_t taken = std::min(left, piece.size());
    piece.remove_prefix(taken);
    left -= taken;
  }
  return !pending();
}

void Stream::shut_down_sending() {
  if (descriptor_ >= 0) ::shutdown(descriptor_, SHUT_WR);
}

void Stream::close() {
  if (descriptor_ < 0) return;
  poller_.remove(token_);
  ::close(std::exchange(descriptor_, -1));
  pending_ = {};
  readable_ = false;
}

}  // namespace sluice::gateway
