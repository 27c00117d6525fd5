// What the rules in force make of a request that has just been classified (R5).
#include "core/classify/rule_effects.h"
#include "core/scheduler_impl.h"

namespace sluice::core {

void Scheduler::Impl::on(const RuleChange& event) {
  actions_->push_back(RuleAnswer{rules_.change(event, now_)});
}

// Labels, priority, lane and budget at once; what refuses is kept for when it is its turn.
void Scheduler::Impl::apply_rules(Entry& entry, const Labels& labels, const Classification& found) {
  if (rules_.empty()) return;
  const RuleSubject subject =
      rule_subject(labels, found, task(entry.id).expected_service, options_);
  const KindFigures figures =
      rules_.needs_figures()
          ? history_[found.task_type.value].figures(realtime_of_kind_[found.task_type.value], now_)
          : KindFigures{};
  const RuleVerdict verdict = rules_.evaluate(subject, figures);
  if (!verdict.any) return;
  const RuleEffect& effect = verdict.effect;
  classify_as(task(entry.id), apply_effects(effect, labels, found, options_));
  const ModelId model = effect.degrade.value_or(task(entry.id).model);
  if (model != task(entry.id).model || !is_bound(entry)) set_model(entry, model);
  if (effect.refuse.value_or(false)) {
    // Whether it still does so in a moment, its live figures will say.
    entry.ruled = Refusal{.reason = Reason::kRuleRefused,
                          .retry_after = KindHistory::kRateMemory,
                          .rule = verdict.rule(EffectKind::kRefuse)};
  }
  if (effect.rate) entry.rate = verdict.rule(EffectKind::kRate);
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal_by_rule(const Entry& entry) {
  if (entry.ruled || !entry.rate.valid()) return entry.ruled;
  const auto wait = rules_.over_rate(entry.rate, now_);
  if (!wait) return std::nullopt;
  return Refusal{.reason = Reason::kRuleRateLimited, .retry_after = *wait, .rule = entry.rate};
}

}  // namespace sluice::core
