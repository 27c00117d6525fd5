// One number for all that a run has decided: two runs that differ in a field of an action differ in
// it.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <type_traits>

#include "base/id.h"
#include "base/time.h"
#include "sim/observer.h"

namespace sluice::sim {

// FNV-1a over 64-bit words: every action with each of its fields, in order, and when it came. Of
// events only that they led to something: one that is ignored leaves no trace.
class Digest : public Observer {
 public:
  void after(const Step& step) override;

  std::uint64_t value() const { return value_; }
  std::uint64_t actions() const { return actions_; }

 private:
  void word(std::uint64_t w) { value_ = (value_ ^ w) * 0x100000001b3ULL; }
  template <class... Fields>
  void add(const Fields&... fields) {
    (field(fields), ...);
  }
  template <class Number>
  void field(Number number) requires std::is_integral_v<Number> || std::is_enum_v<Number> {
    word(static_cast<std::uint64_t>(number));
  }
  void field(double number) { word(std::bit_cast<std::uint64_t>(number)); }
  void field(TimePoint at) { field(at.time_since_epoch()); }
  void field(Duration d) { word(static_cast<std::uint64_t>(d.count())); }
  template <class Tag>
  void field(Index<Tag> id) {
    word(id.value);
  }
  template <class Tag>
  void field(PoolId<Tag> id) {
    word(id.packed());
  }
  void field(const core::PathFigures& f) {
    add(f.ready, f.loaded, f.utilisation, f.queue, f.slowness, f.failures_in_a_row);
  }

  void take(const core::AdmissionRecord& a);
  void take(const core::PlacementRecord& a);
  void take(const core::Queued& a);
  void take(const core::Dispatch& a);
  void take(const core::Promoted& a);
  void take(const core::Requeued& a);
  void take(const core::Finish& a);
  void take(const core::CancelAttempt& a);
  void take(const core::RuleAnswer& a);
  void take(const core::LoadModel& a) { add(a.node, a.model); }
  void take(const core::UnloadModel& a) { add(a.node, a.model); }
  void take(const core::Adjusted& a);
  void change(const core::BreakerChange& c);
  void change(const core::PathChange& c);
  void change(const core::CorrectionChange& c);
  void change(const core::LaneWeightChange& c);
  void change(const core::ShareChange& c);
  void change(const core::ModelShareChange& c);
  void change(const core::PenaltyChange& c);
  void change(const core::ResidencyChange& c);

  std::uint64_t value_ = 0xcbf29ce484222325ULL;
  std::uint64_t actions_ = 0;
};

}  // namespace sluice::sim
