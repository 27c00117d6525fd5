#include "gateway/problem.h"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::gateway {
namespace {

using namespace std::chrono_literals;
using core::Reason;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string whole(const Problem& problem, bool close = false, bool head_only = false) {
  std::string out;
  append_problem(out, problem, close, head_only);
  return out;
}

std::string body_of(const std::string& answer) {
  return answer.substr(answer.find("\r\n\r\n") + 4);
}

int status_of(Reason reason, int overload_status) {
  core::Finish finish{};
  finish.reason = reason;
  return problem_of(finish, nullptr, overload_status).status;
}

TEST(ProblemOf, StatusByReason) {
  for (const Reason overload :
       {Reason::kQueueFull, Reason::kWouldMissDeadline, Reason::kWouldQueue, Reason::kNoReplica,
        Reason::kNotAccepted, Reason::kQueueTimeout, Reason::kReplicaBusy, Reason::kLoadFailed}) {
    EXPECT_EQ(status_of(overload, 503), 503) << to_string(overload);
    // The operator may have chosen another.
    EXPECT_EQ(status_of(overload, 429), 429) << to_string(overload);
  }
  for (const Reason late :
       {Reason::kDeadlinePassed, Reason::kDeadlineUnreachable, Reason::kReplicaTimeout}) {
    EXPECT_EQ(status_of(late, 429), 504) << to_string(late);
  }
  for (const Reason broken : {Reason::kReplicaError, Reason::kReplicaUnreachable,
                              Reason::kBadAnswer, Reason::kAttemptLost}) {
    EXPECT_EQ(status_of(broken, 429), 502) << to_string(broken);
  }
}

TEST(ProblemOf, SaysTheTaskItsLaneAndWhenToComeAgain) {
  core::Finish finish{};
  finish.task = core::TaskId{2, 1};
  finish.reason = Reason::kQueueFull;
  finish.lane = core::Lane::kLatency;
  finish.retry_after = 3s;
  const Problem problem = problem_of(finish, nullptr, 503);
  EXPECT_EQ(problem.reason, "queue_full");
  EXPECT_EQ(problem.lane, "latency");
  EXPECT_EQ(problem.task_id, finish.task.packed());
  EXPECT_EQ(problem.retry_after, 3s);
  EXPECT_THAT(problem.detail, HasSubstr("lane is full"));
}

// What people read says what happened, for each reason something else.
TEST(ProblemOf, DetailsDifferByReason) {
  std::set<std::string> details;
  for (int r = 1; r < core::kReasons; ++r) {
    core::Finish finish{};
    finish.reason = Reason(r);
    details.insert(problem_of(finish, nullptr, 503).detail);
  }
  // Reasons that no caller is told of share one.
  EXPECT_GE(details.size(), 12u);
}

core::Finish refused_by_a_rule(Reason reason) {
  core::Finish finish{};
  finish.reason = reason;
  return finish;
}

TEST(ProblemOf, ARuleIsNamedAndSaysWhyInItsOwnWords) {
  for (const Reason reason : {Reason::kRuleRefused, Reason::kRuleRateLimited}) {
    const core::Finish finish = refused_by_a_rule(reason);
    core::Rule rule;
    rule.name = "no-video-at-noon";
    const Problem terse = problem_of(finish, &rule, 503);
    EXPECT_EQ(terse.rule, "no-video-at-noon");
    EXPECT_EQ(terse.detail, problem_of(finish, nullptr, 503).detail);
    rule.reason = "Videos are taken in the evening.";
    const Problem told = problem_of(finish, &rule, 503);
    EXPECT_EQ(told.detail, "Videos are taken in the evening.");
    EXPECT_EQ(told.reason, to_string(reason));
  }
}

TEST(ProblemOf, ARuleThatHasBeenRemovedIsNotNamed) {
  const Problem problem = problem_of(refused_by_a_rule(Reason::kRuleRefused), nullptr, 503);
  EXPECT_EQ(problem.rule, "");
  EXPECT_THAT(problem.detail, HasSubstr("A rule refuses"));
}

TEST(AppendProblem, NamesTheRuleWhereOneRefused) {
  const std::string named = whole({.status = 403, .reason = "rule_refused", .rule = "at-noon"});
  EXPECT_EQ(nlohmann::json::parse(body_of(named))["rule"], "at-noon");
  const std::string unnamed = whole({.status = 503, .reason = "queue_full"});
  EXPECT_FALSE(nlohmann::json::parse(body_of(unnamed)).contains("rule"));
}

TEST(AppendProblem, IsAProblemDocument) {
  const std::string answer = whole({.status = 503,
                                    .reason = "queue_full",
                                    .detail = "Full.",
                                    .task_id = 0x1'00000002,
                                    .lane = "low"});
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\ncontent-type: application/problem+json\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nx-sluice-task-id: 0000000100000002\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nx-sluice-lane: low\r\n"));
  const auto body = nlohmann::json::parse(body_of(answer));
  EXPECT_EQ(body["type"], "about:blank");
  EXPECT_EQ(body["title"], "Service Unavailable");
  EXPECT_EQ(body["status"], 503);
  EXPECT_EQ(body["reason"], "queue_full");
  EXPECT_EQ(body["detail"], "Full.");
  EXPECT_EQ(body["task_id"], "0000000100000002");
}

TEST(AppendProblem, WhatWasNoTaskNamesNone) {
  const std::string answer = whole({.status = 404, .reason = "unknown_model"});
  EXPECT_THAT(answer, Not(HasSubstr("x-sluice-")));
  EXPECT_FALSE(nlohmann::json::parse(body_of(answer)).contains("task_id"));
}

TEST(AppendProblem, LengthIsThatOfTheBody) {
  const std::string answer = whole({.detail = "\"quoted\" and \xc3\xa4"});
  EXPECT_THAT(answer,
              HasSubstr("\r\ncontent-length: " + std::to_string(body_of(answer).size()) + "\r\n"));
}

// HEAD is told the length that GET would have had, and no body.
TEST(AppendProblem, HeadOnly) {
  const Problem problem{.status = 404, .detail = "No such model."};
  const std::string head = whole(problem, false, true);
  EXPECT_THAT(head, EndsWith("\r\n\r\n"));
  EXPECT_EQ(head + body_of(whole(problem)), whole(problem));
}

TEST(AppendProblem, AppendsBehindWhatIsThere) {
  std::string out = "before";
  append_problem(out, {.status = 400}, false, false);
  EXPECT_THAT(out, StartsWith("beforeHTTP/1.1 400 "));
}

TEST(AppendProblem, SaysThatTheConnectionEnds) {
  EXPECT_THAT(whole({}, true), HasSubstr("\r\nconnection: close\r\n"));
  EXPECT_THAT(whole({}, false), Not(HasSubstr("connection:")));
}

TEST(AppendProblem, AllowedMethods) {
  EXPECT_THAT(whole({.status = 405, .allow = "GET, HEAD"}), HasSubstr("\r\nallow: GET, HEAD\r\n"));
  EXPECT_THAT(whole({.status = 404}), Not(HasSubstr("allow:")));
}

// Whoever comes a moment too early is refused once more: up, never down.
TEST(AppendProblem, RetryAfterIsRoundedUpToSeconds) {
  const auto retry_after = [](Duration d) {
    const std::string answer = whole({.status = 503, .retry_after = d});
    const auto at = answer.find("\r\nretry-after: ");
    return at == std::string::npos ? ""
                                   : answer.substr(at + 15, answer.find("\r\n", at + 15) - at - 15);
  };
  EXPECT_EQ(retry_after(0s), "");
  EXPECT_EQ(retry_after(-1s), "");
  EXPECT_EQ(retry_after(1ns), "1");
  EXPECT_EQ(retry_after(999ms), "1");
  EXPECT_EQ(retry_after(1s), "1");
  EXPECT_EQ(retry_after(1s + 1ns), "2");
  EXPECT_EQ(retry_after(24h), "86400");
}

// Bytes of callers are quoted in details; JSON has to be UTF-8.
TEST(AppendProblem, BytesThatAreNotUtf8AreReplaced) {
  for (const std::string& detail : {std::string("\xff\xfe"), std::string("\xc3"),
                                    std::string("a\x80"
                                                "b"),
                                    std::string("nul\0nul", 7), std::string("line\r\nend")}) {
    const std::string answer = whole({.detail = detail});
    const auto body = nlohmann::json::parse(body_of(answer), nullptr, false);
    ASSERT_FALSE(body.is_discarded());
    EXPECT_TRUE(body["detail"].is_string());
    // Nothing of it gets into the head.
    EXPECT_THAT(answer.substr(0, answer.find("\r\n\r\n")), Not(HasSubstr("end")));
  }
}

}  // namespace
}  // namespace sluice::gateway
