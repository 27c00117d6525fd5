// What is known of a request before it is a task (R1, R2): the words of the field, as types.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "core/ids.h"

namespace sluice::core {

enum class Realtime : std::uint8_t { kHigh, kMedium, kLow };
enum class WeightClass : std::uint8_t { kLight, kMedium, kHeavy };
enum class Tier : std::uint8_t { kVip, kPremium, kBasic };
enum class Lane : std::uint8_t { kHigh, kLatency, kLow };

// 0..9, smaller is more urgent.
using Priority = std::uint8_t;

inline constexpr int kRealtimes = 3;
inline constexpr int kWeightClasses = 3;
inline constexpr int kTiers = 3;
inline constexpr int kLanes = 3;
inline constexpr int kPriorities = 10;

// Both ends included; from ≤ to.
struct PriorityRange {
  Priority from = 0;
  Priority to = kPriorities - 1;

  constexpr bool contains(Priority p) const { return from <= p && p <= to; }
  constexpr bool operator==(const PriorityRange&) const = default;
};

// Names as they are written in the configuration, in headers and in metric labels.
inline constexpr std::array<std::string_view, 3> kRealtimeNames{"high", "medium", "low"};
inline constexpr std::array<std::string_view, 3> kWeightClassNames{"light", "medium", "heavy"};
inline constexpr std::array<std::string_view, 3> kTierNames{"vip", "premium", "basic"};
inline constexpr std::array<std::string_view, 3> kLaneNames{"high", "latency", "low"};

constexpr std::string_view to_string(Realtime r) {
  return kRealtimeNames[static_cast<int>(r)];
}
constexpr std::string_view to_string(WeightClass w) {
  return kWeightClassNames[static_cast<int>(w)];
}
constexpr std::string_view to_string(Tier t) {
  return kTierNames[static_cast<int>(t)];
}
constexpr std::string_view to_string(Lane l) {
  return kLaneNames[static_cast<int>(l)];
}

// R10: high 0..2, latency-controlled 3..6, low 7..9.
constexpr Lane lane_of(Priority p) {
  if (p <= 2) return Lane::kHigh;
  return p <= 6 ? Lane::kLatency : Lane::kLow;
}

// What a service class takes unless it is told otherwise (R26): the priorities of a lane each.
constexpr PriorityRange priorities_of(Realtime service_class) {
  if (service_class == Realtime::kHigh) return {0, 2};
  return service_class == Realtime::kMedium ? PriorityRange{3, 6} : PriorityRange{7, 9};
}

// What the caller said, already checked for form by the driver: a label that is absent is filled
// in from the model catalogue and the tenant table, one that is malformed never gets here.
struct Labels {
  ModelId model;
  TenantId tenant;
  std::optional<TaskTypeId> task_type;
  std::optional<Realtime> realtime;
  std::optional<WeightClass> weight;
  // Asked for; clamped to the best priority its tenant may reach.
  std::optional<Priority> priority;
  // From arrival to the last moment at which an answer is of use. Zero or negative: too late.
  std::optional<Duration> budget;
  // The caller's own guess of the service time: a prior only, used until measurements exist.
  std::optional<Duration> expected_service;
  // Payload size: what service time is scaled by, and what the lane's byte limit counts.
  std::uint64_t size_bytes = 0;
  // The driver keeps the request until its answer starts, and running it twice does no harm: it may
  // be tried again, on another node or after its slot was taken for a more urgent one.
  bool retriable = false;
  // False: run now or refuse, never wait in a queue.
  bool may_queue = true;
  // False: no inference (a model's metadata): how long it takes says nothing about the model.
  bool teaches = true;
};

}  // namespace sluice::core
