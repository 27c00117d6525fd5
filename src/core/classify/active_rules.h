// The rules in force and the rates that they set (R5).
#pragma once

#include <optional>
#include <vector>

#include "base/state.h"
#include "core/admission/token_bucket.h"
#include "core/classify/rule_book.h"
#include "core/event.h"
#include "core/options.h"

namespace sluice::core {

// A rule's bucket is shared by all requests that the rule matches. It is full when the rule is made
// or replaced, and keeps what is in it when the rule is moved.
class ActiveRules {
 public:
  // Aborts when a rule of the options is not sound: `config` has checked what users wrote.
  explicit ActiveRules(const Options& options);

  // O(rules); may allocate.
  RuleResult change(const RuleChange& asked, TimePoint now);

  bool empty() const { return book_.size() == 0; }
  bool needs_figures() const { return book_.needs_figures(); }
  RuleVerdict evaluate(const RuleSubject& subject, const KindFigures& figures) const {
    return book_.evaluate(subject, figures);
  }
  const RuleBook& book() const { return book_; }

  // Takes one token of the rule's rate, or tells after which time there is one. O(1).
  std::optional<Duration> over_rate(RuleId rule, TimePoint now);

  SLUICE_STATE(book, buckets);

 private:
  RuleBook book_;
  std::vector<TokenBucket> buckets_;  // by slot of the rule
};

}  // namespace sluice::core
