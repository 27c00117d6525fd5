// What a caller is told when there is no answer: RFC 9457 problem documents with a stable reason.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "core/action.h"
#include "core/classify/rules.h"

namespace sluice::gateway {

struct Problem {
  int status = 500;
  std::string_view reason;    // stable, for programs
  std::string detail;         // for people: what happened, how to mend it
  std::string rule;           // that refused it; empty: none did
  std::string allow;          // of 405: the methods that are allowed
  Duration retry_after{0};    // > 0: rounded up to whole seconds
  std::uint64_t task_id = 0;  // 0: it was no task
  std::string_view lane;
};

// The whole answer, head and body, appended to `out`. `close`: says that the connection ends here.
// `head_only`: for HEAD requests, without the body.
void append_problem(std::string& out, const Problem& problem, bool close, bool head_only);

// For a task that ended without an answer of a replica. `rule`: that `finish` names; null when it
// names none, or one that has been removed since. Its reason, where it has one, is the detail.
Problem problem_of(const core::Finish& finish, const core::Rule* rule, int overload_status);

}  // namespace sluice::gateway
