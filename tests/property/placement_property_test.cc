// Whatever the placement strategy and whatever has happened: a node that is chosen has room, its
// breaker lets the task pass, it does not score too little, and it is one where the task has failed
// only when there is no other.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/placement/placement.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr ModelId kModel{0};
constexpr std::uint32_t kExhaustive = 32;  // candidates; beyond, a sample is looked at

Options cluster(std::uint32_t number) {
  Options options;
  options.seed = number;
  options.task_types = {"image"};
  options.models = {{.name = "m", .task_type = TaskTypeId{0}}};
  const std::uint32_t nodes = number % 4 == 0 ? 40 : 1 + number % 5;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    options.nodes.push_back({.kind = (n * 7 + number) % 3 == 0 ? "gpu" : "edge",
                             .models = {kModel},
                             .slots = 1 + (n + number) % 3});
  }
  options.policy.placement = PlacementKind(number / 4 % kPlacementNames.size());
  options.placement.top_k = 1 + number % PlacementOptions::kMostTop;
  options.placement.least_score = number % 3 == 0 ? 0 : 0.4;
  options.breaker.consecutive_failures = 2;
  options.slow_start.enabled = false;
  return options;
}

class Stage {
 public:
  explicit Stage(std::uint32_t number)
      : options_(cluster(number)),
        eligibility_(options_),
        flows_(eligibility_.class_count(), 1, 1, 100),
        residency_(options_, eligibility_),
        placement_(options_, eligibility_, residency_, flows_) {
    for (std::uint32_t n = 0; n < options_.nodes.size(); ++n) report(n, true);
  }

  void step(std::uint32_t what, std::uint32_t a, std::uint32_t b) {
    const auto node = static_cast<std::uint32_t>(a % options_.nodes.size());
    if (what < 4) return place(b);
    if (what < 6) return end(a, b);
    if (what < 8) return figures(node, b);
    if (what == 8) return report(node, b % 4 != 0);
    now_ += std::chrono::milliseconds(b * 10);
    placement_.release_due(now_);
  }

  const std::string& log() const { return log_; }

 private:
  ClassId klass() const { return eligibility_.class_of(kModel, 0); }

  void report(std::uint32_t node, bool ready) {
    placement_.report(NodeId{node}, ready, std::nullopt, now_);
  }
  void figures(std::uint32_t node, std::uint32_t b) {
    const NodeFiguresReport report{.node = NodeId{node},
                                   .utilisation = b % 120 / 100.0,
                                   .memory = b / 120 % 12 / 10.0,
                                   .age = std::chrono::milliseconds(b * 5)};
    placement_.report_figures(report, now_, rejected_);
  }
  void end(std::uint32_t a, std::uint32_t b) {
    if (running_.empty()) return;
    const std::size_t at = a % running_.size();
    const Attempt attempt = running_[at].attempt;
    placement_.judge(attempt, b % 3 == 0 ? AttemptVerdict::kFailure : AttemptVerdict::kSuccess, 5ms,
                     now_);
    if (b % 3 != 0) placement_.learn(attempt, std::chrono::milliseconds(1 + b % 50), now_);
    placement_.end(attempt, running_[at].slot, now_);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  Task task_of(std::uint32_t b) const {
    Task task;
    task.model = kModel;
    task.arrival = now_;
    task.deadline = now_ + std::chrono::milliseconds(1 + b % 200);
    task.prior_service = 5ms;
    task.lane = Lane::kHigh;
    task.priority = 0;
    for (std::uint32_t i = 0; i < b % 3; ++i) {
      task.tried[i] = {static_cast<std::uint32_t>((b / 3 + i) % options_.nodes.size())};
    }
    return task;
  }

  void place(std::uint32_t b) {
    if (!placement_.open(klass())) return;
    const Task task = task_of(b);
    const Choice choice = placement_.choose(task, klass(), now_, b % 2 == 0);
    log_ += std::to_string(static_cast<int>(choice.verdict)) + ":" +
            std::to_string(choice.node.value) + " ";
    if (choice.verdict != Verdict::kRun) return;
    RC_ASSERT(admissible(choice.node));
    if (task.has_tried(choice.node) && options_.nodes.size() <= kExhaustive) {
      for (std::uint32_t n = 0; n < options_.nodes.size(); ++n) {
        RC_ASSERT(task.has_tried(NodeId{n}) || !admissible(NodeId{n}));
      }
    }
    running_.push_back({.attempt = {.node = choice.node, .model = kModel, .lane = Lane::kHigh},
                        .slot = next_slot_++});
    placement_.begin(choice.node, running_.back().slot, running_.back().attempt, now_);
  }

  bool admissible(NodeId node) const {
    return placement_.node(node).open() && placement_.breaker(node, kModel).admits(now_) &&
           scores_enough(node);
  }
  bool scores_enough(NodeId node) const {
    return !placement_.figures_known(node, now_) ||
           node_score(placement_.figures(node, now_), options_.placement.node) >=
               options_.placement.least_score;
  }

  struct Running {
    Attempt attempt;
    std::uint32_t slot;
  };

  Options options_;
  Eligibility eligibility_;
  Flows flows_;
  Residency residency_;
  Placement placement_;
  TimePoint now_{10s};
  std::vector<Running> running_;
  std::uint32_t next_slot_ = 0;
  std::uint64_t rejected_ = 0;
  std::string log_;
};

std::string play(std::uint32_t number, const std::vector<std::uint32_t>& steps) {
  Stage stage(number);
  for (const std::uint32_t step : steps) stage.step(step % 10, step / 10 % 97, step / 970);
  return stage.log();
}

RC_GTEST_PROP(PlacementProperty, ChoosesOnlyWhatMayBeChosenAndTheSameAgain, ()) {
  const auto number = *rc::gen::inRange<std::uint32_t>(0, 10'000);
  const auto steps = *rc::gen::scale(3.0, rc::gen::container<std::vector<std::uint32_t>>(
                                              rc::gen::inRange<std::uint32_t>(0, 970'000)));
  RC_ASSERT(play(number, steps) == play(number, steps));
}

}  // namespace
}  // namespace sluice::core
