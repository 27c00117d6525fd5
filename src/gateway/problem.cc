#include "gateway/problem.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "http/write.h"

namespace sluice::gateway {
namespace {

using core::Reason;

int status_of(const core::Finish& finish, int overload_status) {
  switch (finish.reason) {
    case Reason::kQueueFull:
    case Reason::kWouldMissDeadline:
    case Reason::kWouldQueue:
    case Reason::kNoReplica:
    case Reason::kNotAccepted:
    case Reason::kQueueTimeout:
    case Reason::kReplicaBusy:
    case Reason::kShed:
    case Reason::kLoadFailed:
      return overload_status;
    case Reason::kRuleRefused:
      return 403;
    case Reason::kRateLimited:
    case Reason::kTenantQueueFull:
    case Reason::kTenantSuspended:
    case Reason::kRuleRateLimited:
      return 429;
    case Reason::kDeadlinePassed:
    case Reason::kDeadlineUnreachable:
    case Reason::kReplicaTimeout:
      return 504;
    default:
      return 502;
  }
}

std::string_view detail_of(Reason reason) {
  switch (reason) {
    case Reason::kQueueFull:
      return "The lane is full. Try again after Retry-After, or raise its capacity.";
    case Reason::kWouldMissDeadline:
      return "No replica is predicted to answer within the budget. Try again after Retry-After, or "
             "allow a larger budget.";
    case Reason::kWouldQueue:
      return "No replica is free now, and the request asked not to be queued (x-sluice-queue: no).";
    case Reason::kNoReplica:
      return "No replica of this model is ready, or can load it in time. Try again after "
             "Retry-After.";
    case Reason::kNotAccepted:
      return "No replica of this model takes requests of this priority.";
    case Reason::kRateLimited:
      return "The tenant has sent more than its rate. Try again after Retry-After.";
    case Reason::kTenantQueueFull:
      return "The tenant has as much waiting in this lane as it may. Try again after Retry-After.";
    case Reason::kTenantSuspended:
      return "Too many of the tenant's requests have failed, timed out or been left by their "
             "callers. Try again after Retry-After.";
    case Reason::kRuleRefused:
      return "A rule refuses such requests.";
    case Reason::kRuleRateLimited:
      return "A rule lets no more such requests through for now. Try again after Retry-After.";
    case Reason::kShed:
      return "The lane was full, and this request was the least likely to be answered in time.";
    case Reason::kDeadlinePassed:
      return "The deadline passed before a replica was free, or had loaded the model.";
    case Reason::kDeadlineUnreachable:
      return "While the request waited it became impossible to answer it within its budget.";
    case Reason::kLoadFailed:
      return "No replica could load the model, and none tries again within the budget.";
    case Reason::kQueueTimeout:
      return "The request waited for as long as its lane allows.";
    case Reason::kReplicaUnreachable:
      return "The replica could not be reached.";
    case Reason::kReplicaTimeout:
      return "The replica did not answer in time.";
    case Reason::kBadAnswer:
      return "What the replica sent was not a whole HTTP answer.";
    case Reason::kAttemptLost:
      return "It is not known what became of the request at the replica.";
    default:
      return "The replica failed.";
  }
}

}  // namespace

Problem problem_of(const core::Finish& finish, const core::Rule* rule, int overload_status) {
  Problem problem;
  problem.status = status_of(finish, overload_status);
  problem.reason = to_string(finish.reason);
  problem.detail = detail_of(finish.reason);
  if (rule != nullptr) {
    problem.rule = rule->name;
    if (!rule->reason.empty()) problem.detail = rule->reason;
  }
  problem.retry_after = finish.retry_after;
  problem.task_id = finish.task.packed();
  problem.lane = to_string(finish.lane);
  return problem;
}

void append_problem(std::string& out, const Problem& problem, bool close, bool head_only) {
  nlohmann::ordered_json body{{"type", "about:blank"},
                              {"title", http::reason_phrase(problem.status)},
                              {"status", problem.status},
                              {"reason", problem.reason},
                              {"detail", problem.detail}};
  if (!problem.rule.empty()) body["rule"] = problem.rule;
  if (problem.task_id != 0) body["task_id"] = fmt::format("{:016x}", problem.task_id);
  // Bytes of callers may be quoted in the detail and need not be UTF-8.
  const std::string text =
      body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";

  http::append_status_line(out, problem.status);
  http::append_header(out, "content-type", "application/problem+json");
  http::append_header(out, "content-length", fmt::format_int(text.size()).c_str());
  if (problem.retry_after > Duration::zero()) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(problem.retry_after).count();
    http::append_header(out, "retry-after", fmt::format_int(seconds).c_str());
  }
  if (!problem.allow.empty()) http::append_header(out, "allow", problem.allow);
  if (problem.task_id != 0) {
    http::append_header(out, "x-sluice-task-id", fmt::format("{:016x}", problem.task_id));
    http::append_header(out, "x-sluice-lane", problem.lane);
  }
  if (close) http::append_header(out, "connection", "close");
  out += "\r\n";
  if (!head_only) out += text;
}

}  // namespace sluice::gateway
