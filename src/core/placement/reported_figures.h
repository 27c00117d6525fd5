// What others say of a node (R24), how old it is, and what we have given the node since.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/state.h"
#include "base/time.h"
#include "core/placement/node_score.h"

namespace sluice::core {

// A count a while ago: what it was when each of the last 32 buckets of 0.27 s began. O(1)
// amortised, 144 bytes.
class RecentCount {
 public:
  // The count from now on differs from `count`, which it was until now.
  void note(std::uint32_t count, TimePoint now);
  // Of the bucket that `when` is in; the oldest that is known for what was before. Exact to the
  // changes within one bucket.
  std::uint32_t at(TimePoint when, std::uint32_t now_count) const;

  SLUICE_STATE(counts, last);

 private:
  static constexpr int kBucketBits = 28;  // of nanoseconds
  static constexpr std::int64_t kBuckets = 32;

  // Time before the beginning counts as the beginning.
  static std::int64_t bucket_of(TimePoint t) {
    return std::max<std::int64_t>(t.time_since_epoch().count(), 0) >> kBucketBits;
  }

  std::array<std::uint32_t, kBuckets> counts_{};
  std::int64_t last_ = -1;  // bucket that was begun last
};

// Figures that are young count as they are, old ones fade to unknown, and never to idle: silence is
// no sign of rest (llm-d-router#2100: nor of saturation). What is dispatched after a sample was
// taken is not in it, so it is added until a newer sample comes (llm-d-router#2066). The sample is
// as old as it says: what was sent while it was on its way counts as not in it, too.
class ReportedFigures {
 public:
  // Figures in 0..1; an absent one stays what it was. `in_flight`: attempts at the node now. False,
  // and nothing changes, when a newer sample is known already.
  bool report(std::optional<double> utilisation, std::optional<double> memory, TimePoint sampled,
              std::uint32_t in_flight);

  // One more attempt leaves for the node, which has had `in_flight` so far.
  void note(std::uint32_t in_flight, TimePoint now) { in_flight_.note(in_flight, now); }

  // As they count now. The queue is in flight ÷ credits; the utilisation is that of the sample, as
  // far as it is young, and what was given since ÷ credits, at most 1.
  NodeFigures at(TimePoint now, std::uint32_t in_flight, std::uint32_t credits,
                 const FigureAges& ages) const;

  // Whether more was given since the sample than `throttle` × what it left free of the credits, if
  // one more is. False where the sample is unknown or was none.
  bool flooded(TimePoint now, std::uint32_t in_flight, std::uint32_t credits,
               const FigureAges& ages, double throttle) const;

  // A utilisation was sampled, and is not too old to count.
  bool known(TimePoint now, const FigureAges& ages) const {
    return counts(utilisation_, now, ages);
  }
  bool memory_known(TimePoint now, const FigureAges& ages) const {
    return counts(memory_, now, ages);
  }
  // When known() ends, if nothing newer comes; meaningless where it is false.
  TimePoint known_until(const FigureAges& ages) const {
    return utilisation_->sampled + ages.unknown_after;
  }

  SLUICE_STATE(utilisation, memory, in_flight_then, in_flight);

 private:
  struct Figure {
    double share = kUnknownFigure;
    TimePoint sampled;

    SLUICE_STATE(share, sampled);
  };

  static bool counts(const std::optional<Figure>& figure, TimePoint now, const FigureAges& ages) {
    return figure && now - figure->sampled < ages.unknown_after;
  }
  static double value(const std::optional<Figure>& figure, TimePoint now, const FigureAges& ages);
  std::uint32_t given(std::uint32_t in_flight) const {
    return in_flight > in_flight_then_ ? in_flight - in_flight_then_ : 0;
  }

  std::optional<Figure> utilisation_;
  std::optional<Figure> memory_;
  std::uint32_t in_flight_then_ = 0;  // when the utilisation was sampled
  RecentCount in_flight_;
};

}  // namespace sluice::core
