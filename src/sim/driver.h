// The gateway of the simulated world: tells the core what happens and does what it decides.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/scheduler.h"
#include "sim/cluster.h"
#include "sim/event_queue.h"
#include "sim/figures.h"
#include "sim/habits.h"
#include "sim/noise.h"
#include "sim/observer.h"
#include "sim/traffic.h"

namespace sluice::sim {

// How callers and the gateway itself behave.
struct Manners {
  std::uint64_t seed = 1;
  Habits habits;
  NoiseOptions noise;
};

// Owns the scheduler, the requests that are open, and who of them is which attempt. The cluster is
// told in its place; the core's actions are carried out after handle() has returned.
class Driver {
 public:
  // All must outlive this.
  Driver(const Scenario& scenario, core::Options options, const Manners& manners, Cluster& cluster,
         EventQueue& events, Figures& figures);

  // Observers see each event of the core; not owned.
  void add_observer(Observer& observer) { observers_.push_back(&observer); }

  // The request that arrives now; `number` counts the requests of the run.
  void submit(const Request& request, std::uint64_t number);
  // kCallerLeaves, kReachGateway, kOrderAnswered.
  void on(const Event& event);
  // Attempts at a node that is no longer ready are reported as failed, as a gateway does that
  // closes its connections. A managed one is asked which models it has, as a gateway does with each
  // health check.
  void report(core::NodeReport report, TimePoint now);
  void report(const core::NodeFiguresReport& figures, TimePoint now) { tell(figures, now); }
  void tick(TimePoint now) { tell(core::Tick{}, now); }

  // By the true clock; may be in the past (then: now).
  TimePoint next_wakeup() const;
  // The gateway's clock shows this much more than the true one.
  void set_clock_offset(Duration offset) { clock_offset_ = offset; }

  // Another scheduler takes over, made from what this one has written down. Aborts when that fails:
  // it is its own.
  void restore_scheduler();

  // The run is over: who has no answer by now gets none.
  void close(TimePoint now);

  const core::Scheduler& scheduler() const { return scheduler_; }
  const Ledger& ledger() const { return ledger_; }
  // How often each kind of nonsense was told.
  const std::array<std::uint64_t, kSenselessNames.size()>& senseless() const { return senseless_; }

 private:
  struct Open {
    TimePoint at;
    TimePoint started = kNever;  // first time in a slot, as far as known here
    core::TaskId task;
    JobId job;  // the latest attempt; may be no more
    std::uint64_t number = 0;
    std::uint32_t attempts = 0;
    std::uint32_t model = 0;
    std::uint32_t tenant = 0;
    std::uint32_t phase = 0;
    std::optional<std::uint32_t> node;  // of the latest attempt
    core::Priority level = 9;
  };

  void tell(const core::Event& event, TimePoint now);
  void tell_at(const core::Event& event, TimePoint now, TimePoint core_now);
  void carry_out(const core::Queued& queued, TimePoint now);
  void carry_out(const core::Dispatch& dispatch, TimePoint now);
  // The request is kept while it is open: the next Dispatch sends it again.
  void carry_out(const core::Requeued&, TimePoint) {}
  void carry_out(const core::Promoted&, TimePoint) {}
  void carry_out(const core::RuleAnswer&, TimePoint) {}
  void carry_out(const core::AdmissionRecord&, TimePoint) {}
  void carry_out(const core::PlacementRecord&, TimePoint) {}
  void carry_out(const core::Adjusted& adjusted, TimePoint now);
  void carry_out(const core::LoadModel& load, TimePoint now);
  void carry_out(const core::UnloadModel& unload, TimePoint now);
  void carry_out(const core::CancelAttempt& cancel, TimePoint now);
  void carry_out(const core::Finish& finish, TimePoint now);
  void end_attempt(JobId job, core::AttemptResult result, TimePoint now);
  void fail_attempts_at(std::uint32_t node, TimePoint now);
  void caller_leaves(OpenId id, TimePoint now);
  void order_answered(const Event& event);
  void note_start(Open& open);
  Ended ended(const Open& open, TimePoint now) const;
  TimePoint core_time(TimePoint now) const { return now + clock_offset_; }

  static OpenId open_id(core::RequestId request) {
    return OpenId::unpack(static_cast<std::uint64_t>(request));
  }

  const Scenario& scenario_;
  Manners manners_;
  Noise noise_;
  std::array<std::uint64_t, kSenselessNames.size()> senseless_{};
  Cluster& cluster_;
  EventQueue& events_;
  Figures& figures_;
  std::vector<std::size_t> first_phases_;
  core::Pool<Open, OpenId> open_;
  core::Scheduler scheduler_;
  std::vector<JobId> job_of_attempt_;  // by the attempt's slot; may be of an earlier attempt
  core::ActionBuffer actions_;
  std::vector<core::ModelId> loaded_;  // on the node of the report that is being told
  Ledger ledger_;
  Duration clock_offset_{0};
  std::vector<Observer*> observers_;
};

}  // namespace sluice::sim
