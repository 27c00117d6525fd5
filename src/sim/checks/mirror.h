// What an onlooker knows of the core: from the options, the events and the actions alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "core/action.h"
#include "core/event.h"
#include "core/options.h"
#include "sim/observer.h"

namespace sluice::sim {

enum class Stage : std::uint8_t { kNone, kNew, kWaiting, kRunning, kEnded };

struct SeenRequest {
  core::RequestId id{};
  core::TaskId task;        // once an action has named it
  core::AttemptId attempt;  // the latest that somebody waits for
  core::AttemptId hedge;    // a second one, while both run
  TimePoint arrival;        // as the core reads it
  TimePoint deadline;
  TimePoint entered;  // into the scheduler
  TimePoint expires;  // when it may wait no longer: its deadline, or its lane's maximum age
  std::int64_t rank = 0;
  std::optional<core::AttemptResult> result;  // of the latest attempt, where known
  std::uint32_t model = 0;
  std::uint32_t tenant = 0;
  std::uint32_t spells = 0;    // how often it began to wait
  std::uint32_t attempts = 0;  // begun, without hedges
  std::uint32_t hedges = 0;
  std::uint32_t preemptions = 0;  // of these, taken off for others
  core::Lane lane = core::Lane::kLow;
  core::Priority priority = 9;
  core::Priority accepted_as = 9;  // that it had when it was admitted: what nodes ask for (R26)
  Stage stage = Stage::kNone;
  bool retriable = false;
  bool may_queue = true;
  bool again = false;  // waits for another attempt, or in another lane than first
};

// A try of a request: from its Dispatch until the core is told of its end.
struct SeenAttempt {
  core::AttemptId id;
  core::RequestId request{};
  bool wanted = true;  // its task waits for its answer
  bool open = false;
  bool answer_started = false;
  std::uint32_t node = 0;
  std::uint32_t model = 0;
  std::uint32_t tenant = 0;
  core::Lane lane = core::Lane::kLow;
  core::Priority accepted_as = 9;
  TimePoint begun;
  Duration expected{0};
};

struct SeenNode {
  bool ready = false;
  bool reported = false;
  std::uint32_t in_flight = 0;
  std::optional<TimePoint> utilisation_at;  // sampled
  std::optional<TimePoint> memory_at;
};

// What the event of a step was about.
struct Heard {
  const core::Submitted* submitted = nullptr;
  std::optional<SeenAttempt> ended;           // the attempt whose end it tells, as it was
  std::optional<core::AttemptResult> result;  // how; none: lost
  std::optional<core::RequestId> cancelled;   // the request whose caller has gone
  std::uint32_t senseless = 0;  // how often it counts as ignored: for its time, for what it names
};

// Everything is found by slot: O(1) an event and an action.
class Mirror {
 public:
  explicit Mirror(const core::Options& options);

  // The event, before any action of its step.
  void hear(const core::Event& event, TimePoint core_now);
  void apply(const core::Action& action);

  const core::Options& options() const { return options_; }
  // The latest time that the core was told.
  TimePoint now() const { return now_; }
  const Heard& heard() const { return heard_; }

  // Whether the request still waits in the spell of this number.
  bool waits(core::RequestId id, std::uint32_t spell) const {
    const SeenRequest* const found = find(id);
    return found != nullptr && found->stage == Stage::kWaiting && found->spells == spell;
  }
  // nullptr: never submitted. Valid until the next request comes.
  const SeenRequest* find(core::RequestId id) const;
  const SeenAttempt* find(core::AttemptId id) const;
  const SeenNode& node(std::size_t node) const { return nodes_[node]; }
  bool hosts(std::size_t node, std::size_t model) const {
    return hosts_[node * options_.models.size() + model] != 0;
  }
  // Attempts of the tenant that are not over.
  std::uint32_t running(std::size_t tenant) const { return running_[tenant]; }
  std::uint32_t waiting(core::Lane lane) const { return waiting_[static_cast<std::size_t>(lane)]; }
  std::uint32_t waiting() const { return waiting_[0] + waiting_[1] + waiting_[2]; }
  // Of these, those that ran before.
  std::uint32_t waiting_again(core::Lane lane) const {
    return waiting_again_[static_cast<std::size_t>(lane)];
  }
  std::uint32_t open_attempts() const { return open_attempts_; }
  const std::vector<SeenRequest>& requests() const { return requests_; }
  // Tasks with the same number may run on the same nodes. kNoClass: on none.
  static constexpr std::uint32_t kNoClass = 0xffffffff;
  std::uint32_t class_of(std::size_t model, core::Priority accepted_as) const {
    return class_of_[model * core::kPriorities + accepted_as];
  }
  std::uint32_t class_count() const { return static_cast<std::uint32_t>(classes_.size()); }
  const std::vector<std::uint32_t>& nodes_of(std::uint32_t klass) const { return classes_[klass]; }

 private:
  void hear_that(const core::Submitted& event);
  void hear_that(const core::Cancelled& event);
  void hear_that(const core::AnswerStarted& event);
  void hear_that(const core::AttemptFinished& event) { end(event.attempt, event.result); }
  void hear_that(const core::AttemptLost& event) { end(event.attempt, std::nullopt); }
  void hear_that(const core::NodeReport& event);
  void hear_that(const core::NodeFiguresReport& event);
  template <class Other>
  void hear_that(const Other&) {}  // of no consequence here
  void end(core::AttemptId id, std::optional<core::AttemptResult> result);

  void take(const core::Queued& queued);
  void take(const core::Dispatch& dispatch);
  void take(const core::Promoted& promoted);
  void take(const core::Requeued& requeued);
  void take(const core::Finish& finish);
  void take(const core::CancelAttempt& cancel);
  template <class Other>
  void take(const Other&) {}  // of no consequence for requests and attempts

  void admit(SeenRequest& request, core::Lane lane, core::Priority priority, TimePoint deadline,
             std::int64_t rank);
  void begin_waiting(SeenRequest& request);
  void stop_waiting(SeenRequest& request);
  void let_go(const SeenRequest& request);
  // One of its attempts is over, or nobody waits for it any more.
  static void leave(SeenRequest& request, core::AttemptId gone);
  SeenRequest* request(core::RequestId id);
  SeenRequest* request_of(core::TaskId task);
  SeenAttempt* attempt(core::AttemptId id);
  void find_classes();
  std::vector<std::uint32_t> nodes_for(std::size_t model, core::Priority accepted_as) const;

  const core::Options options_;
  TimePoint now_;
  Heard heard_;
  std::vector<SeenRequest> requests_;     // by slot of the id
  std::vector<core::RequestId> of_task_;  // by slot of the task's id
  std::vector<SeenAttempt> attempts_;     // by slot of the id
  std::vector<SeenNode> nodes_;
  std::vector<std::uint8_t> hosts_;      // node × models + model
  std::vector<std::uint32_t> running_;   // by tenant
  std::vector<std::uint32_t> class_of_;  // model × priorities + priority
  std::vector<std::vector<std::uint32_t>> classes_;
  std::array<std::uint32_t, core::kLanes> waiting_{};
  std::array<std::uint32_t, core::kLanes> waiting_again_{};
  std::uint32_t open_attempts_ = 0;
};

}  // namespace sluice::sim
