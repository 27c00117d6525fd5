// Whether a rule makes sense by itself.
#pragma once

#include "core/classify/rule_book.h"

namespace sluice::core {

// kNone, or what is wrong with the rule's name, match or effect: ids of nothing in the universe,
// empty ranges, values out of range, NaN, effects that its scope may not have. Pure.
RuleError check_rule(const Rule& rule, const RuleUniverse& universe);

}  // namespace sluice::core
