#include "core/snapshot.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "core/scheduler.h"
#include "core/scheduler_impl.h"
#include "core/state/reader.h"
#include "core/state/shape.h"
#include "core/state/writer.h"

namespace sluice::core {
namespace {

constexpr std::array<char, 8> kMagic{'S', 'l', 'u', 'i', 'c', 'e', 'C', 'S'};
constexpr std::size_t kHeaderBytes = sizeof(kMagic) + 4 + 8 + 8;
constexpr std::size_t kChecksumBytes = 8;

void write_header(std::vector<std::byte>& bytes, std::uint64_t shape, std::uint64_t state_bytes) {
  state::Writer write(bytes);
  write(kMagic, kSnapshotVersion, shape, state_bytes);
}

struct Opened {
  SnapshotError error = SnapshotError::kNone;
  std::span<const std::byte> state;
};

bool begins_with_magic(std::span<const std::byte> bytes) {
  const std::size_t known = std::min(bytes.size(), kMagic.size());
  return std::equal(kMagic.begin(), kMagic.begin() + known, bytes.begin(),
                    [](char letter, std::byte each) { return std::byte(letter) == each; });
}

Opened open(std::span<const std::byte> bytes, std::uint64_t shape) {
  if (bytes.empty() || !begins_with_magic(bytes)) return {SnapshotError::kNotASnapshot, {}};
  if (bytes.size() < kHeaderBytes) return {SnapshotError::kCutShort, {}};
  std::uint32_t version = 0;
  std::uint64_t its_shape = 0;
  std::uint64_t state_bytes = 0;
  state::Reader header(bytes.subspan(kMagic.size()));
  header(version, its_shape, state_bytes);
  if (version != kSnapshotVersion) return {SnapshotError::kOtherVersion, {}};
  const std::size_t behind = bytes.size() - kHeaderBytes;
  if (behind < kChecksumBytes || behind - kChecksumBytes < state_bytes) {
    return {SnapshotError::kCutShort, {}};
  }
  if (behind - kChecksumBytes > state_bytes) return {SnapshotError::kDamaged, {}};
  std::uint64_t sum = 0;
  state::Reader(bytes.last(kChecksumBytes))(sum);
  const auto covered = bytes.first(bytes.size() - kChecksumBytes);
  if (sum != state::checksum(covered)) return {SnapshotError::kChecksum, {}};
  if (its_shape != shape) return {SnapshotError::kOtherOptions, {}};
  return {SnapshotError::kNone, covered.subspan(kHeaderBytes)};
}

}  // namespace

void Scheduler::save(std::vector<std::byte>& bytes) const {
  SLUICE_CHECK(impl_->actions_ == nullptr, "a state is saved between two events");
  const std::uint64_t shape = state::shape_of(impl_->options_);
  bytes.clear();
  write_header(bytes, shape, 0);
  state::Writer write(bytes);
  write(*impl_);
  // Again, now that the length is known.
  std::vector<std::byte> header;
  write_header(header, shape, bytes.size() - kHeaderBytes);
  std::copy(header.begin(), header.end(), bytes.begin());
  write(state::checksum(bytes));
}

Restored Scheduler::restore(Options options, std::span<const std::byte> bytes) {
  const Opened opened = open(bytes, state::shape_of(options));
  if (opened.error != SnapshotError::kNone) return {opened.error, std::nullopt};
  Scheduler scheduler(std::move(options));
  state::Reader read(opened.state);
  read(*scheduler.impl_);
  if (!read.ok() || read.left() > 0) return {SnapshotError::kDamaged, std::nullopt};
  return {SnapshotError::kNone, std::move(scheduler)};
}

}  // namespace sluice::core
