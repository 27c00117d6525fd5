// What was weighed is told before what follows from it (R40).
#include "core/scheduler_impl.h"

namespace sluice::core {

void Scheduler::Impl::tell_admission(const Entry& entry, const std::optional<Refusal>& refused) {
  const Task& task = tasks_[entry.id.slot];
  const Prediction best = entry.best.value_or(Prediction{});
  const WorkAhead ahead = entry.ahead.value_or(WorkAhead{.slots = 0, .share = 0});
  actions_->emplace_back(AdmissionRecord{.request = task.request,
                                         .task = entry.id,
                                         .reason = refused ? refused->reason : Reason::kNone,
                                         .lane = task.lane,
                                         .original = entry.original,
                                         .priority = task.priority,
                                         .degraded = entry.degraded,
                                         .model = task.model,
                                         .tenant = task.tenant,
                                         .budget = task.deadline - task.arrival,
                                         .trusted = best.trusted,
                                         .until_slot = best.until_slot,
                                         .service = best.service,
                                         .work_ahead = ahead.work,
                                         .slots = ahead.slots,
                                         .share = ahead.share,
                                         .victim = entry.victim.value_or(AttemptId{})});
}

void Scheduler::Impl::tell_placement(std::uint32_t slot, Verdict verdict) {
  const Task& task = tasks_[slot];
  auto& record = std::get<PlacementRecord>(actions_->emplace_back(PlacementRecord{}));
  record.request = task.request;
  record.task = tasks_.id_of(slot);
  record.verdict = verdict;
  record.lane = task.lane;
  record.priority = task.priority;
  placement_.deliberation().write_to(record);
}

}  // namespace sluice::core
