// Every metric of Sluice, declared once: /metrics and docs/metrics.md are both made from these.
// Base units (seconds, bytes) and Prometheus' naming rules; promtool checks them in a test.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sluice::telemetry {

enum class MetricKind : std::uint8_t { kCounter, kGauge, kHistogram };

inline constexpr std::array<std::string_view, 3> kMetricKindNames{"counter", "gauge", "histogram"};
constexpr std::string_view to_string(MetricKind k) {
  return kMetricKindNames[static_cast<int>(k)];
}

inline constexpr std::size_t kMaxLabels = 3;

struct MetricDefinition {
  std::string_view name;
  MetricKind kind;
  std::array<std::string_view, kMaxLabels> labels{};  // unused ones are empty, and last
  std::string_view help;                              // one sentence, no full stop
};

// Tasks.
inline constexpr MetricDefinition kTasks{
    .name = "sluice_tasks_total",
    .kind = MetricKind::kCounter,
    .labels = {"lane", "outcome", "reason"},
    .help = "Tasks that have ended, by how and why",
};
inline constexpr MetricDefinition kTasksInBudget{
    .name = "sluice_tasks_in_budget_total",
    .kind = MetricKind::kCounter,
    .labels = {"lane"},
    .help = "Tasks answered within their budget; over all tasks of the lane this is its hit rate",
};
inline constexpr MetricDefinition kTaskQueueSeconds{
    .name = "sluice_task_queue_seconds",
    .kind = MetricKind::kHistogram,
    .labels = {"lane"},
    .help =
        "Time from arrival to dispatch, or to leaving the queue; tasks refused on arrival not "
        "counted",
};
inline constexpr MetricDefinition kTaskLatencySeconds{
    .name = "sluice_task_latency_seconds",
    .kind = MetricKind::kHistogram,
    .labels = {"lane"},
    .help = "Time from arrival to the end of the answer, of completed tasks",
};
inline constexpr MetricDefinition kRetries{
    .name = "sluice_retries_total",
    .kind = MetricKind::kCounter,
    .labels = {"reason"},
    .help =
        "Failed attempts after which the task was tried again on another node, by why they failed",
};

// Models.
inline constexpr MetricDefinition kModelChanges{
    .name = "sluice_model_changes_total",
    .kind = MetricKind::kCounter,
    .labels = {"model", "to", "cause"},
    .help = "Changes of a model on a managed node, by the state it came to and why",
};

// Lanes.
inline constexpr MetricDefinition kLaneWaiting{
    .name = "sluice_lane_waiting",
    .kind = MetricKind::kGauge,
    .labels = {"lane"},
    .help = "Tasks waiting in the lane",
};
inline constexpr MetricDefinition kLaneWaitingBytes{
    .name = "sluice_lane_waiting_bytes",
    .kind = MetricKind::kGauge,
    .labels = {"lane"},
    .help = "Payload bytes of the tasks waiting",
};

// Nodes.
inline constexpr MetricDefinition kNodeReady{
    .name = "sluice_node_ready",
    .kind = MetricKind::kGauge,
    .labels = {"node"},
    .help = "1 when the node's health checks pass, else 0",
};
inline constexpr MetricDefinition kNodeSlots{
    .name = "sluice_node_slots",
    .kind = MetricKind::kGauge,
    .labels = {"node"},
    .help = "Parallel executions the node offers",
};
inline constexpr MetricDefinition kNodeCredits{
    .name = "sluice_node_credits",
    .kind = MetricKind::kGauge,
    .labels = {"node"},
    .help =
        "Attempts the node may have in flight: its slots, and what fills the way there and back",
};
inline constexpr MetricDefinition kNodeInFlight{
    .name = "sluice_node_in_flight",
    .kind = MetricKind::kGauge,
    .labels = {"node"},
    .help = "Attempts in flight, abandoned ones too",
};
inline constexpr MetricDefinition kNodeUtilization{
    .name = "sluice_node_utilization_share",
    .kind = MetricKind::kGauge,
    .labels = {"node"},
    .help =
        "Utilisation that the node's device reported, 0 to 1, as it counts for placement: faded by "
        "its age, with what was sent since; absent when nobody knows",
};
inline constexpr MetricDefinition kNodeMemory{
    .name = "sluice_node_memory_share",
    .kind = MetricKind::kGauge,
    .labels = {"node"},
    .help =
        "Memory in use that the node's device reported, 0 to 1, faded by its age; absent when "
        "nobody knows",
};

// Breakers and paths.
inline constexpr MetricDefinition kBreakerChanges{
    .name = "sluice_breaker_changes_total",
    .kind = MetricKind::kCounter,
    .labels = {"node", "state"},
    .help = "Times that a breaker of the node, of whichever model, went to this state",
};
inline constexpr MetricDefinition kPathSwitches{
    .name = "sluice_path_switches_total",
    .kind = MetricKind::kCounter,
    .labels = {"model", "cause"},
    .help = "Times that the model left its path for another, by why; probed: a better one is back",
};
inline constexpr MetricDefinition kModelPath{
    .name = "sluice_model_path",
    .kind = MetricKind::kGauge,
    .labels = {"model", "path"},
    .help = "1 for the path that the model takes, else 0; absent where no paths are configured",
};
inline constexpr MetricDefinition kNodeMemoryUsed{
    .name = "sluice_node_memory_used_bytes",
    .kind = MetricKind::kGauge,
    .labels = {"node"},
    .help = "Memory of the models that are loaded, or on their way in or out; managed nodes only",
};
inline constexpr MetricDefinition kModelReplicasLoaded{
    .name = "sluice_model_replicas_loaded",
    .kind = MetricKind::kGauge,
    .labels = {"model"},
    .help = "Ready nodes that have the model loaded; only of models that come and go",
};

// The scheduler and the process.
inline constexpr MetricDefinition kAttemptsAbandoned{
    .name = "sluice_attempts_abandoned",
    .kind = MetricKind::kGauge,
    .help =
        "Attempts in flight that nobody waits for: each holds its credit until the node is done",
};
inline constexpr MetricDefinition kPreemptions{
    .name = "sluice_preemptions_total",
    .kind = MetricKind::kCounter,
    .help = "Slots taken from a task of the low lane for an urgent one that would have been late",
};
inline constexpr MetricDefinition kHedges{
    .name = "sluice_hedges_total",
    .kind = MetricKind::kCounter,
    .help = "Second attempts that were begun beside a first one that took long",
};
inline constexpr MetricDefinition kEventsIgnored{
    .name = "sluice_events_ignored_total",
    .kind = MetricKind::kCounter,
    .help =
        "Events that named nothing alive; a few are normal (an answer races with its caller's "
        "leaving)",
};
inline constexpr MetricDefinition kFiguresRejected{
    .name = "sluice_figures_rejected_total",
    .kind = MetricKind::kCounter,
    .help = "Reported figures of nodes that were no shares between 0 and 1",
};
inline constexpr MetricDefinition kBuildInfo{
    .name = "sluice_build_info",
    .kind = MetricKind::kGauge,
    .labels = {"version"},
    .help = "1, with the version as a label",
};
inline constexpr MetricDefinition kProcessCpuSeconds{
    .name = "process_cpu_seconds_total",
    .kind = MetricKind::kCounter,
    .help = "User and system time of the process",
};
inline constexpr MetricDefinition kProcessResidentBytes{
    .name = "process_resident_memory_bytes",
    .kind = MetricKind::kGauge,
    .help = "Resident memory of the process",
};
inline constexpr MetricDefinition kProcessOpenFds{
    .name = "process_open_fds",
    .kind = MetricKind::kGauge,
    .help = "Open file descriptors; absent on Linux before 6.2, where counting them costs too much",
};

// In the order in which /metrics and the document list them.
inline constexpr std::array kMetricDefinitions{
    &kTasks,           &kTasksInBudget,     &kTaskQueueSeconds,     &kTaskLatencySeconds,
    &kRetries,         &kModelChanges,      &kLaneWaiting,          &kLaneWaitingBytes,
    &kNodeReady,       &kNodeSlots,         &kNodeCredits,          &kNodeInFlight,
    &kNodeUtilization, &kNodeMemory,        &kNodeMemoryUsed,       &kModelReplicasLoaded,
    &kModelPath,       &kAttemptsAbandoned, &kPreemptions,          &kHedges,
    &kEventsIgnored,   &kFiguresRejected,   &kBreakerChanges,       &kPathSwitches,
    &kBuildInfo,       &kProcessCpuSeconds, &kProcessResidentBytes, &kProcessOpenFds,
};

}  // namespace sluice::telemetry
