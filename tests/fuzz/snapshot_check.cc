#include "fuzz/snapshot_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "core/scheduler.h"
#include "core/state/shape.h"
#include "core/state/writer.h"

namespace sluice::fuzz {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kLengthAt = 20;
constexpr std::size_t kStateAt = 28;
constexpr std::size_t kChecksumBytes = 8;

core::Options small_options() {
  core::Options options;
  options.task_types = {"image"};
  options.models.resize(2, {.task_type = core::TaskTypeId{0}});
  options.nodes.resize(2, {.models = {core::ModelId{0}, core::ModelId{1}}});
  options.nodes[1].managed = true;
  options.rules = {{.name = "rule", .effect = {.rate = core::RateLimit{.per_s = 100}}}};
  options.rule_limits.rules = 2;
  return options;
}

// Something waits, and something runs.
Bytes good_snapshot() {
  core::Scheduler scheduler(small_options());
  core::ActionBuffer actions;
  const TimePoint now(std::chrono::seconds(1));
  scheduler.handle(core::NodeReport{.node = {0}, .ready = true}, now, actions);
  for (std::uint32_t i = 0; i < 6; ++i) {
    const core::Labels labels{.model = {i % 2}, .tenant = {0}, .budget = std::chrono::hours(1)};
    scheduler.handle(
        core::Submitted{.request = core::RequestId{i}, .labels = labels, .arrival = now}, now,
        actions);
  }
  Bytes bytes;
  scheduler.save(bytes);
  return bytes;
}

std::size_t number_at(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  return byte(at) | static_cast<std::size_t>(byte(at + 1)) << 8;
}

Bytes edited(Bytes state, std::string_view edits) {
  if (edits.size() < 2) return state;
  state.resize(state.size() - std::min(number_at(edits, 0), state.size()));
  for (std::size_t at = 2; at + 3 <= edits.size() && !state.empty(); at += 3) {
    state[number_at(edits, at) % state.size()] = static_cast<std::byte>(edits[at + 2]);
  }
  return state;
}

Bytes with_state(const Bytes& of, const Bytes& state, std::uint64_t mistake) {
  Bytes bytes(of.begin(), of.begin() + kLengthAt);
  core::state::Writer write(bytes);
  write(std::uint64_t{state.size()});
  bytes.insert(bytes.end(), state.begin(), state.end());
  write(core::state::checksum(bytes) ^ mistake);
  return bytes;
}

}  // namespace

void check_snapshot(std::string_view edits) {
  static const Bytes good = good_snapshot();
  static const Bytes state(good.begin() + kStateAt, good.end() - kChecksumBytes);
  const Bytes bad = edited(state, edits);
  SLUICE_CHECK(core::Scheduler::restore(small_options(), with_state(good, bad, 1)).error ==
                   core::SnapshotError::kChecksum,
               "what was damaged by accident is refused");
  const Bytes meant = with_state(good, bad, 0);
  const core::Restored restored = core::Scheduler::restore(small_options(), meant);
  const bool refused = restored.error == core::SnapshotError::kDamaged;
  SLUICE_CHECK(restored.scheduler.has_value() != refused, "there is a scheduler, or a reason");
  if (refused) return;
  Bytes again;
  restored.scheduler->save(again);
  SLUICE_CHECK(again == meant, "what was read is what there was");
}

}  // namespace sluice::fuzz
