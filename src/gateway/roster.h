// The connections that have a time limit running, for one sweep over all of them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/time.h"

namespace sluice::gateway {

// A member of a Roster. Setting a limit is one store: no timer is started, moved or cancelled on
// the way of a request. The sweep looks at every member ten times a second, which for thousands of
// connections is microseconds; limits are seconds, so a tenth more does not matter.
class Timed {
 public:
  Timed() = default;
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  virtual ~Timed() = default;

  // The limit has passed. Called at most once a limit; the member may leave the roster.
  virtual void on_time_out() = 0;
  // The gateway stops: close, and call nobody.
  virtual void cut_off() = 0;

  void limit(TimePoint when) { expires_ = when; }
  void no_limit() { expires_ = kNever; }

 private:
  friend class Roster;
  TimePoint expires_ = kNever;
  std::size_t place_ = 0;
};

// Does not own its members; each leaves before it dies.
class Roster {
 public:
  static constexpr Duration kSweepEvery = std::chrono::milliseconds(100);

  void join(Timed& member) {
    member.place_ = members_.size();
    members_.push_back(&member);
  }
  void leave(Timed& member) {
    members_.back()->place_ = member.place_;
    members_[member.place_] = members_.back();
    members_.pop_back();
  }

  // Backwards, so that a member that leaves while it is told moves only one that was told before.
  void sweep(TimePoint now) {
    for (std::size_t i = members_.size(); i-- > 0;) {
      if (i >= members_.size()) continue;
      Timed& member = *members_[i];
      if (member.expires_ > now) continue;
      member.no_limit();
      member.on_time_out();
    }
  }

  void cut_off_all() {
    for (std::size_t i = members_.size(); i-- > 0;) members_[i]->cut_off();
  }

  const std::vector<Timed*>& members() const { return members_; }

 private:
  std::vector<Timed*> members_;
};

}  // namespace sluice::gateway
