// What fits into the memory of a node (R25).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/state.h"

namespace sluice::core {

// What a model takes of a node's memory, in bytes.
struct Footprint {
  std::uint64_t memory = 0;    // while it is loaded
  std::uint64_t reserved = 0;  // not given to others, loaded or not

  // What others have to leave to it.
  std::uint64_t held(bool resident) const {
    return resident ? std::max(memory, reserved) : reserved;
  }
  // What others gain when it leaves.
  std::uint64_t gain() const { return held(true) - reserved; }

  SLUICE_STATE(memory, reserved);
};

// Two sums, because room is promised before it is free. Both count what is reserved for models
// that are not there.
//
//   held     by what is in memory, or may be: also what is on its way in or out. A load is only
//            ordered where it fits: held ≤ capacity.
//   claimed  by what will be there when everything that was decided is done: without models on
//            their way out, with those that room is being made for. Room is only promised where it
//            fits: claimed ≤ capacity.
//
// Both may be larger than the capacity when nodes report models that nobody asked them to load;
// then nothing fits until enough has gone.
class DeviceMemory {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  explicit DeviceMemory(std::optional<std::uint64_t> capacity)
      : capacity_(capacity.value_or(kUnlimited)) {}

  // The model may live here, which takes what it reserves.
  void host(const Footprint& model) {
    held_ += model.reserved;
    claimed_ += model.reserved;
  }
  void take(const Footprint& model) {
    used_ += model.memory;
    held_ += model.gain();
  }
  void free(const Footprint& model) {
    used_ -= model.memory;
    held_ -= model.gain();
  }
  void claim(const Footprint& model) { claimed_ += model.gain(); }
  void unclaim(const Footprint& model) { claimed_ -= model.gain(); }

  bool fits_now(const Footprint& model) const { return fits(held_, model.gain()); }
  // Whether it could be claimed once `freed` bytes of what is claimed are given up.
  bool fits_after(const Footprint& model, std::uint64_t freed) const {
    return fits(claimed_ - freed, model.gain());
  }
  // That nobody has claimed.
  std::uint64_t room() const { return capacity_ - std::min(claimed_, capacity_); }

  std::uint64_t capacity() const { return capacity_; }
  // By models that are in memory, or may be.
  std::uint64_t used() const { return used_; }
  std::uint64_t claimed() const { return claimed_; }

  SLUICE_STATE(capacity, used, held, claimed);

 private:
  bool fits(std::uint64_t taken, std::uint64_t more) const {
    return taken <= capacity_ && more <= capacity_ - taken;
  }

  std::uint64_t capacity_;
  std::uint64_t used_ = 0;
  std::uint64_t held_ = 0;
  std::uint64_t claimed_ = 0;
};

}  // namespace sluice::core
