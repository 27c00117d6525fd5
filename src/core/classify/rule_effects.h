// What the effects of rules make of a classification.
#pragma once

#include "core/classify/classifier.h"
#include "core/classify/rules.h"

namespace sluice::core {

// The subject that rules are tried on: `found` as classify() made it from `labels`.
RuleSubject rule_subject(const Labels& labels, const Classification& found,
                         Duration predicted_service, const Options& options);

// `found` with the effects on labels, priority, lane and budget applied; refusing, limiting,
// degrading and rerouting are left to whoever submits. Pure, O(1).
//   labels:   rule > request: a rule that says what a request is would be idle otherwise
//   priority: request > rule > table; then moved by steps or lanes, whoever set it
//   budget:   request > rule > model > realtime level > lane
// Never more urgent than the tenant's best priority, whosever rule it is. The lane is always that
// of the priority.
Classification apply_effects(const RuleEffect& effect, const Labels& labels,
                             const Classification& found, const Options& options);

}  // namespace sluice::core
