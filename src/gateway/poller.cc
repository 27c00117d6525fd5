#include "gateway/poller.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace sluice::gateway {

Poller::Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), events_(kEventsATurn) {
  if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
}

Poller::~Poller() {
  ::close(epoll_);
}

bool Poller::add(int descriptor, std::shared_ptr<Pollable> owner, Token& token) {
  std::uint32_t place = static_cast<std::uint32_t>(entries_.size());
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    place = free_.back();
    free_.pop_back();
  }
  Entry& entry = entries_[place];
  token = static_cast<Token>(entry.generation) << 32 | place;
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = token;
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) != 0) {
    free_.push_back(place);
    return false;
  }
  entry.owner = std::move(owner);
  return true;
}

void Poller::remove(Token token) {
  const auto place = static_cast<std::uint32_t>(token);
  Entry& entry = entries_[place];
  if (entry.generation != token >> 32 || entry.owner == nullptr) return;
  // Closing the descriptor takes it out of the kernel's set; events of this turn that are still to
  // be told find another generation.
  removed_.push_back(std::move(entry.owner));
  entry.owner = nullptr;
  ++entry.generation;
  free_.push_back(place);
}

std::size_t Poller::wait(Duration at_most) {
  removed_.clear();
  if (!again_.empty()) at_most = Duration::zero();
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(at_most).count();
  const int count =
      ::epoll_wait(epoll_, events_.data(), kEventsATurn, static_cast<int>(std::max<long>(ms, 0)));
  telling_again_.swap(again_);
  for (const Token token : telling_again_) tell(token, 0);
  telling_again_.clear();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events_[static_cast<std::size_t>(i)];
    tell(event.data.u64, event.events);
  }
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

void Poller::tell(Token token, std::uint32_t events) {
  const Entry& entry = entries_[static_cast<std::uint32_t>(token)];
  if (entry.generation != token >> 32 || entry.owner == nullptr) return;
  // A copy: the owner may remove itself, and the table may grow while it is told.
  const std::shared_ptr<Pollable> owner = entry.owner;
  const bool hung_up = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
  owner->on_ready(hung_up || (events & EPOLLIN) != 0, hung_up || (events & EPOLLOUT) != 0, hung_up);
}

}  // namespace sluice::gateway
