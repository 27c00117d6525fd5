// A scheduler's whole state as bytes: what a journal begins its segments with, and what a test or
// an experiment goes on from. Scheduler::save() writes one, Scheduler::restore() reads it.
//
//   8 bytes   "SluiceCS"
//   4         version of the format: it changes whenever the core keeps anything else
//   8         which options it belongs to (state/shape.h)
//   8         length of the state
//   …         the state, see state/archive.h
//   8         checksum of all that stands before
//
// All numbers are little-endian. The same state is the same bytes on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sluice::core {

inline constexpr std::uint32_t kSnapshotVersion = 2;

// Why a snapshot could not be read.
enum class SnapshotError : std::uint8_t {
  kNone,
  kNotASnapshot,
  kOtherVersion,
  kCutShort,
  kChecksum,
  kOtherOptions,
  kDamaged,
};
inline constexpr std::array<std::string_view, 7> kSnapshotErrorTexts{
    "",
    "this is no snapshot of a scheduler",
    "the snapshot was written by another version of Sluice: read it with that one",
    "the snapshot is cut short: copy it again",
    "the snapshot has been damaged: its checksum is wrong",
    "the snapshot belongs to other options: give the same models, nodes, tenants, paths, "
    "capacities and policy that it was written with",
    "the snapshot is not what a scheduler writes",
};
constexpr std::string_view to_string(SnapshotError e) {
  return kSnapshotErrorTexts[static_cast<std::size_t>(e)];
}

}  // namespace sluice::core
