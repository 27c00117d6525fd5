#include "telemetry/task_metrics.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

using core::Lane;
using core::Outcome;
using core::Reason;
using std::chrono::milliseconds;

constexpr TimePoint kArrival{std::chrono::seconds(100)};

core::Finish finish(Lane lane, Outcome outcome, Reason reason) {
  core::Finish f{};
  f.lane = lane;
  f.outcome = outcome;
  f.reason = reason;
  f.arrival = kArrival;
  f.deadline = kArrival + milliseconds(100);
  f.waited = milliseconds(20);
  return f;
}

Families collected(const TaskMetrics& metrics) {
  Families families;
  metrics.collect(families);
  return families;
}

const prometheus::MetricFamily& named(const Families& families, std::string_view name) {
  const auto it = std::find_if(families.begin(), families.end(),
                               [&](const auto& family) { return family.name == name; });
  EXPECT_NE(it, families.end()) << name;
  return *it;
}

// The series with these label values; null when it is not there.
const prometheus::ClientMetric* series(const Families& families, const MetricDefinition& definition,
                                       const std::vector<std::string>& values) {
  for (const auto& metric : named(families, definition.name).metric) {
    std::vector<std::string> have;
    for (const auto& label : metric.label) have.push_back(label.value);
    if (have == values) return &metric;
  }
  return nullptr;
}

TEST(TaskMetrics, EverySeriesThatCanOccurIsThereFromTheStart) {
  const auto families = collected(TaskMetrics());
  EXPECT_EQ(named(families, kTasks.name).metric.size(),
            static_cast<std::size_t>(core::kLanes * core::kReasons));
  const auto* full = series(families, kTasks, {"low", "refused", "queue_full"});
  ASSERT_NE(full, nullptr);
  EXPECT_EQ(full->counter.value, 0);
  EXPECT_NE(series(families, kTasks, {"high", "completed", "none"}), nullptr);
  EXPECT_NE(series(families, kTasks, {"high", "expired", "queue_timeout"}), nullptr);
  EXPECT_NE(series(families, kTasks, {"high", "cancelled", "caller_gone"}), nullptr);
  EXPECT_NE(series(families, kTasks, {"high", "failed", "attempt_lost"}), nullptr);
  EXPECT_EQ(series(families, kTasks, {"high", "completed", "queue_full"}), nullptr);
}

TEST(TaskMetrics, UnusualPairIsListedOnceItHasHappened) {
  TaskMetrics metrics;
  metrics.on_finish(finish(Lane::kLow, Outcome::kFailed, Reason::kNoReplica), kArrival);
  const auto families = collected(metrics);
  const auto* pair = series(families, kTasks, {"low", "failed", "no_replica"});
  ASSERT_NE(pair, nullptr);
  EXPECT_EQ(pair->counter.value, 1);
}

TEST(TaskMetrics, CompletedInTimeCountsEverywhere) {
  TaskMetrics metrics;
  metrics.on_finish(finish(Lane::kHigh, Outcome::kCompleted, Reason::kNone),
                    kArrival + milliseconds(50));
  const auto families = collected(metrics);
  EXPECT_EQ(series(families, kTasks, {"high", "completed", "none"})->counter.value, 1);
  EXPECT_EQ(series(families, kTasksInBudget, {"high"})->counter.value, 1);
  const auto& queue = series(families, kTaskQueueSeconds, {"high"})->histogram;
  EXPECT_EQ(queue.sample_count, 1U);
  EXPECT_DOUBLE_EQ(queue.sample_sum, 0.020);
  EXPECT_DOUBLE_EQ(series(families, kTaskLatencySeconds, {"high"})->histogram.sample_sum, 0.050);
}

TEST(TaskMetrics, LanesAreApart) {
  TaskMetrics metrics;
  metrics.on_finish(finish(Lane::kHigh, Outcome::kCompleted, Reason::kNone), kArrival);
  const auto families = collected(metrics);
  EXPECT_EQ(series(families, kTasks, {"low", "completed", "none"})->counter.value, 0);
  EXPECT_EQ(series(families, kTasksInBudget, {"latency"})->counter.value, 0);
}

TEST(TaskMetrics, CompletedTooLateIsNotInBudget) {
  TaskMetrics metrics;
  metrics.on_finish(finish(Lane::kHigh, Outcome::kCompleted, Reason::kNone),
                    kArrival + milliseconds(101));
  const auto families = collected(metrics);
  EXPECT_EQ(series(families, kTasksInBudget, {"high"})->counter.value, 0);
  EXPECT_EQ(series(families, kTaskLatencySeconds, {"high"})->histogram.sample_count, 1U);
}

TEST(TaskMetrics, RefusedHasNeitherWaitNorLatency) {
  TaskMetrics metrics;
  metrics.on_finish(finish(Lane::kHigh, Outcome::kRefused, Reason::kWouldQueue), kArrival);
  const auto families = collected(metrics);
  EXPECT_EQ(series(families, kTaskQueueSeconds, {"high"})->histogram.sample_count, 0U);
  EXPECT_EQ(series(families, kTaskLatencySeconds, {"high"})->histogram.sample_count, 0U);
  EXPECT_EQ(series(families, kTasksInBudget, {"high"})->counter.value, 0);
}

TEST(TaskMetrics, ExpiredHasWaitedButHasNoLatency) {
  TaskMetrics metrics;
  metrics.on_finish(finish(Lane::kLow, Outcome::kExpired, Reason::kDeadlinePassed), kArrival);
  const auto families = collected(metrics);
  EXPECT_EQ(series(families, kTaskQueueSeconds, {"low"})->histogram.sample_count, 1U);
  EXPECT_EQ(series(families, kTaskLatencySeconds, {"low"})->histogram.sample_count, 0U);
}

TEST(TaskMetrics, RetriesAreCountedByWhatFailed) {
  TaskMetrics metrics;
  metrics.on_requeued({.cause = Reason::kReplicaError});
  metrics.on_requeued({.cause = Reason::kReplicaError});
  metrics.on_requeued({.cause = Reason::kReplicaBusy});
  metrics.on_requeued({.cause = Reason::kNone});  // preempted: has not failed
  const auto families = collected(metrics);
  EXPECT_EQ(series(families, kRetries, {"replica_error"})->counter.value, 2);
  EXPECT_EQ(series(families, kRetries, {"replica_busy"})->counter.value, 1);
  EXPECT_EQ(series(families, kRetries, {"replica_timeout"})->counter.value, 0);
  EXPECT_EQ(series(families, kRetries, {"none"}), nullptr);
  EXPECT_EQ(series(families, kRetries, {"queue_full"}), nullptr);
}

}  // namespace
}  // namespace sluice::telemetry
