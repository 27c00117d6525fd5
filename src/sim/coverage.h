// Which branches of the core a run has taken, as far as one can tell from outside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/noise.h"
#include "sim/observer.h"

namespace sluice::sim {

// A test whose rare branches are never taken proves less than it seems to. So they are counted, and
// the runs of a test together must have taken each (the idea is FoundationDB's CodeProbe). O(1) an
// event and an action.
class Coverage : public Observer {
 public:
  void after(const Step& step) override;
  // Nonsense that was told, by kind.
  void add_senseless(const std::array<std::uint64_t, kSenselessNames.size()>& told);
  // What another run took.
  void add(const Coverage& other);

  struct Branch {
    std::string name;
    std::uint64_t count = 0;
  };
  // All that there are, taken or not.
  std::vector<Branch> branches() const;

 private:
  // Branches of one kind, told apart by a number; their names are beside them in coverage.cc.
  enum class Kind : std::uint8_t {
    kOutcome,
    kReason,
    kAttempt,
    kAgain,
    kBreaker,
    kCorrected,
    kCorrectedBack,
    kWeight,
    kShare,
    kModelShare,
    kPenalty,
    kModel,
    kPath,
    kSenseless,
    kOther,
    kKinds,
  };
  static constexpr std::size_t kMostOfAKind = 32;

  void hit(Kind kind, std::size_t which) { ++counts_[static_cast<std::size_t>(kind)][which]; }
  template <class Enum>
  void hit(Kind kind, Enum which) requires std::is_enum_v<Enum> {
    hit(kind, static_cast<std::size_t>(which));
  }

  void count_event(const Step& step);
  void count_size(const Step& step);
  void count(const core::AdmissionRecord& record, const Step&);
  void count(const core::PlacementRecord& record, const Step&);
  void count(const core::Dispatch& dispatch, const Step& step);
  void count(const core::Promoted&, const Step&);
  void count(const core::Requeued& requeued, const Step&);
  void count(const core::Finish& finish, const Step& step);
  void count(const core::Adjusted& adjusted, const Step&);
  template <class Other>
  void count(const Other&, const Step&) {}

  void count_change(const core::BreakerChange& change);
  void count_change(const core::PathChange& change) { hit(Kind::kPath, change.change.cause); }
  void count_change(const core::CorrectionChange& change);
  void count_change(const core::LaneWeightChange& change);
  void count_change(const core::ShareChange& change);
  void count_change(const core::ModelShareChange& change);
  void count_change(const core::PenaltyChange& change);
  void count_change(const core::ResidencyChange& change);

  std::uint64_t hedges_ = 0;  // of the run, so far
  static constexpr auto kKinds = static_cast<std::size_t>(Kind::kKinds);
  std::array<std::array<std::uint64_t, kMostOfAKind>, kKinds> counts_{};
};

}  // namespace sluice::sim
