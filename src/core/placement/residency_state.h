// The states of a replica of a node that is managed, and the records of their changes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/time.h"
#include "core/ids.h"

namespace sluice::core {

// Of a replica (a model on a node):
//
//   cold ──► planned ──► loading ──► loaded ──► draining ──► unloading ──► cold
//
// Planned and draining are passed over where there is room, and where nothing runs. A plan that is
// given up and a load that fails end cold, one that takes too long by way of aborting. What should
// leave and cannot is loaded again. When a node goes down nobody knows what it holds: all is cold
// there, until a load ends or the driver says otherwise.
enum class ResidencyState : std::uint8_t {
  kCold,
  kPlanned,    // it will be loaded once others have made room
  kLoading,    // ordered
  kLoaded,     // tasks may be dispatched to it: only here
  kDraining,   // will be unloaded once nothing runs there any more
  kUnloading,  // ordered; its memory counts until that is proven
  kAborting,   // its load took too long, and is taken back: nobody knows what is in memory
};
inline constexpr std::array<std::string_view, 7> kResidencyStateNames{
    "cold", "planned", "loading", "loaded", "draining", "unloading", "aborting"};
constexpr std::string_view to_string(ResidencyState s) {
  return kResidencyStateNames[static_cast<std::size_t>(s)];
}

enum class ResidencyCause : std::uint8_t {
  kColdStart,    // a task waits, and no replica is ready
  kPenetration,  // the same for an urgent one, which breaks the limits
  kPrewarm,      // in demand, on too few nodes
  kGrowth,       // what waits for it takes longer than one more load
  kRoomMade,     // what had to leave for it has left
  kMakeRoom,     // has to leave for another
  kDone,         // as ordered
  kFailed,
  kTimeout,
  kReported,  // the driver found it so
  kNodeDown,
};
inline constexpr std::array<std::string_view, 11> kResidencyCauseNames{
    "cold_start", "penetration", "prewarm", "growth",   "room_made", "make_room",
    "done",       "failed",      "timeout", "reported", "node_down"};
constexpr std::string_view to_string(ResidencyCause c) {
  return kResidencyCauseNames[static_cast<std::size_t>(c)];
}

// The record of a change, with the figures that caused it.
struct ResidencyChange {
  NodeId node;
  ModelId model;
  ResidencyState from = ResidencyState::kCold;
  ResidencyState to = ResidencyState::kCold;
  ResidencyCause cause = ResidencyCause::kDone;
  Duration lasted{0};         // in the state before
  ModelId other;              // that it makes room for; invalid when it makes none
  std::uint32_t waiting = 0;  // tasks that wait for the model
  double urgent_per_s = 0;    // urgent requests of late
};

struct ResidencyOrder {
  NodeId node;
  ModelId model;
  bool load = true;  // false: unload
};

}  // namespace sluice::core
