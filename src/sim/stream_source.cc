#include "sim/stream_source.h"

#include <algorithm>

namespace sluice::sim {

StreamSource::StreamSource(const Stream& stream, std::size_t index, std::uint64_t seed)
    : index_(index),
      process_(stream.arrivals.process),
      gap_cv_(stream.arrivals.cv),
      segments_(stream.phases, stream.arrivals, seed),
      model_(stream.mix),
      tenant_(stream.tenants),
      gap_random_(0),
      label_random_(0) {
  for (const auto& row : stream.priority_weights) priority_.emplace_back(row);
  Random seeds(~seed);
  gap_random_ = Random(seeds.next());
  label_random_ = Random(seeds.next());
}

double StreamSource::draw_gap() {
  switch (process_) {
    case ArrivalProcess::kConstant:
      return 1;
    case ArrivalProcess::kPoisson:
      return gap_random_.exponential(1);
    case ArrivalProcess::kGamma:
      return gap_random_.gamma(gap_cv_);
  }
  return 1;
}

std::optional<Duration> StreamSource::advance(double gap) {
  expected_ += gap;
  while (!segment_ || expected_ >= segment_expected_) {
    expected_ -= segment_ ? segment_expected_ : 0;
    segment_ = segments_.next();
    if (!segment_) return std::nullopt;
    segment_expected_ = segment_->expected_arrivals();
  }
  // Rounding must not turn time back.
  last_ = std::max(last_, segment_->reach(expected_));
  return last_;
}

void StreamSource::label(Request& request) {
  request.model = model_.draw(label_random_);
  request.priority = static_cast<core::Priority>(priority_[request.model].draw(label_random_));
  request.tenant = tenant_.draw(label_random_);
}

std::optional<Request> StreamSource::next() {
  const auto at = advance(draw_gap());
  if (!at) return std::nullopt;
  Request request{.at = TimePoint(*at), .stream = index_, .phase = segment_->phase};
  label(request);
  return request;
}

}  // namespace sluice::sim
