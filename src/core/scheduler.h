// The scheduler: a pure state machine. Time and events go in, actions come out; it owns no socket,
// thread, clock, file or random device. The gateway and the simulator drive this same code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/action.h"
#include "core/admission/tenant_usage.h"
#include "core/counters.h"
#include "core/event.h"
#include "core/options.h"
#include "core/snapshot.h"

namespace sluice::core {

// What a lane looks like from outside.
struct LaneView {
  std::uint32_t waiting = 0;
  std::uint64_t waiting_bytes = 0;
};

// What a node looks like from outside.
struct NodeView {
  bool ready = false;
  bool reported = false;  // false until the first NodeReport
  std::uint32_t slots = 0;
  std::uint32_t credits = 0;    // fewer while it starts slowly
  std::uint32_t in_flight = 0;  // attempts not ended, abandoned ones too
  Duration round_trip{0};
  // As they counted at the last event (R24): others' samples, faded by age, the utilisation with
  // what was sent since. Absent: unknown.
  std::optional<double> utilisation;
  std::optional<double> memory;
  // Where it is managed: bytes of models that are in its memory, and of those that will be when all
  // that was decided is done, with what is reserved.
  std::uint64_t memory_used = 0;
  std::uint64_t memory_claimed = 0;
};

// How large its tables have become: bounded by the options, whatever happens.
struct TableSizes {
  std::uint32_t tasks = 0;     // most at one time: ≤ the lanes' capacities + all credits + 1
  std::uint32_t attempts = 0;  // most at one time: ≤ all credits
  std::uint32_t flows = 0;     // now: ≤ tasks waiting
  std::uint32_t shares = 0;    // now: ≤ tenants × lanes × classes
};

struct Restored;

class Scheduler {
 public:
  // Aborts when options name things that do not exist: `config` has checked what users wrote.
  explicit Scheduler(Options options);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  // One that was moved from may be destroyed or assigned to, and nothing else.
  Scheduler(Scheduler&&) noexcept;
  Scheduler& operator=(Scheduler&&) noexcept;

  // Applies one event at `now` and appends what follows from it. `now` never goes back; an earlier
  // one is counted and read as the latest seen. O(log n) in waiting tasks, at most 256 tasks
  // expired or dispatched a call (then next_wakeup() is now). Allocates nothing once warm.
  void handle(const Event& event, TimePoint now, ActionBuffer& actions);

  // When to call handle(Tick) at the latest; kNever when nothing waits.
  TimePoint next_wakeup() const;

  const Options& options() const;
  const Counters& counters() const;
  LaneView lane(Lane lane) const;
  NodeView node(NodeId node) const;
  // The rules in force, in the order in which they are tried. Null when the rule has been removed.
  std::vector<RuleId> rules() const;
  const Rule* rule(RuleId rule) const;
  const TenantUsage& usage(TenantId tenant) const;
  // Whether the tenant has a task waiting that would run next if it were the tenant's turn: none of
  // its limits holds it up, and it would not rather wait for a busy node. Asked for the nodes that
  // take the model at this priority (R26). Late binding only.
  bool competes(Lane lane, ModelId model, Priority priority, TenantId tenant) const;
  TableSizes table_sizes() const;
  // Whether a request for the model could run now: some candidate is ready, and has it loaded.
  bool model_ready(ModelId model) const;
  // Nodes that are ready and have it loaded; nothing where it does not come and go.
  std::optional<std::uint32_t> replicas_loaded(ModelId model) const;
  // The node must have the model. Always loaded where the node is not managed.
  ResidencyState residency(NodeId node, ModelId model) const;
  // The path that its tasks take; of one path only, that one. Invalid when no node has the model.
  PathId path(ModelId model) const;

  // Recomputes every sum from the tasks, attempts and nodes themselves and aborts when one differs
  // from the running figure. O(everything): for tests. handle() itself checks the sums each call.
  void check_invariants() const;

  // Writes down the whole state in place of what `bytes` holds: tasks, attempts, queues, nodes, all
  // that was learnt, rules as they have been changed, random numbers (see snapshot.h). Never during
  // handle(). O(most tasks and attempts there ever were + tables); takes no memory but that of
  // `bytes`.
  void save(std::vector<std::byte>& bytes) const;
  // A scheduler that goes on where the one that was saved stood: the same events from then on give
  // the same actions, byte for byte, and save() gives the same bytes. `options` must be those that
  // it was made with. Their names, tables and policy are compared; that figures (budgets, weights,
  // thresholds) are the same as well is for the caller to see to. Nothing that `bytes` hold harms
  // anybody: what is cut short, damaged or foreign is told by the error. But a snapshot whose
  // checksum is right is believed: keep it where only trusted hands can change it. O(as save()).
  static Restored restore(Options options, std::span<const std::byte> bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The scheduler is there when there is no error.
struct Restored {
  SnapshotError error = SnapshotError::kNone;
  std::optional<Scheduler> scheduler;
};

}  // namespace sluice::core
