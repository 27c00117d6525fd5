// The bytes of request bodies that are held in memory, of all callers together.
#pragma once

#include <cstdint>
#include <utility>

namespace sluice::gateway {

class BodyBudget {
 public:
  explicit BodyBudget(std::uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  bool reserve(std::uint64_t bytes) {
    if (bytes > limit_bytes_ - used_bytes_) return false;
    used_bytes_ += bytes;
    return true;
  }
  void release(std::uint64_t bytes) { used_bytes_ -= bytes; }
  std::uint64_t used_bytes() const { return used_bytes_; }

 private:
  std::uint64_t limit_bytes_;
  std::uint64_t used_bytes_ = 0;
};

// A share of the budget that goes back by itself.
class BodyReservation {
 public:
  BodyReservation() = default;
  BodyReservation(const BodyReservation&) = delete;
  BodyReservation& operator=(const BodyReservation&) = delete;
  ~BodyReservation() { release(); }

  // Grows the share. False, and unchanged, when the budget has not that much left.
  bool grow(BodyBudget& budget, std::uint64_t bytes) {
    if (!budget.reserve(bytes)) return false;
    budget_ = &budget;
    bytes_ += bytes;
    return true;
  }
  void release() {
    if (budget_ != nullptr) budget_->release(std::exchange(bytes_, 0));
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  BodyBudget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace sluice::gateway
