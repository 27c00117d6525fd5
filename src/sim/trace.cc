#include "sim/trace.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sluice::sim {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 16;
constexpr std::string_view kHeading =
    "policy,seed,id,arrival_s,stream,model,priority,tenant,outcome,reason,node,latency_ms,"
    "wait_ms\n";

std::string_view reason_of(const Ended& ended) {
  return ended.reason ? core::to_string(*ended.reason) : std::string_view("unanswered");
}

}  // namespace

Trace::Trace(std::string path, const Scenario& scenario)
    : path_(std::move(path)),
      scenario_(scenario),
      first_phases_(first_phases(scenario)),
      file_(std::fopen(path_.c_str(), "w")) {
  if (file_ == nullptr) fail();
  buffer_.append(kHeading);
}

void Trace::begin_run(const std::string& policy, std::uint64_t seed) {
  run_ = fmt::format("{},{}", policy, seed);
}

void Trace::record(const Ended& ended) {
  const auto out = std::back_inserter(buffer_);
  fmt::format_to(
      out, "{},{},{:.6f},{},{},{},{},{},{},{},{:.3f},", run_, ended.number,
      to_seconds(ended.at.time_since_epoch()), stream_of(ended.phase),
      scenario_.models[ended.model].name, ended.level, scenario_.tenants[ended.tenant].name,
      core::to_string(ended.outcome), reason_of(ended),
      ended.node ? std::string_view(scenario_.nodes[*ended.node].name) : "", to_ms(ended.latency));
  if (ended.waited) fmt::format_to(out, "{:.3f}", to_ms(*ended.waited));
  buffer_.push_back('\n');
  if (buffer_.size() >= kFlushBytes) flush();
}

void Trace::close() {
  flush();
  if (std::fclose(file_.release()) != 0) fail();
}

std::string_view Trace::stream_of(std::size_t phase) const {
  const auto after = std::upper_bound(first_phases_.begin(), first_phases_.end(), phase);
  return scenario_.streams[static_cast<std::size_t>(after - first_phases_.begin()) - 1].name;
}

void Trace::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) fail();
  buffer_.clear();
}

void Trace::fail() const {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

}  // namespace sluice::sim
