#include "gateway/forward.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/parse.h"

namespace sluice::gateway {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr TimePoint kNow{100s};

core::Dispatch dispatch_with(Duration left, core::Priority priority = 4) {
  core::Dispatch dispatch{};
  dispatch.task = core::TaskId{2, 1};
  dispatch.lane = core::Lane::kLatency;
  dispatch.priority = priority;
  dispatch.deadline = kNow + left;
  return dispatch;
}

// What a replica gets for this head (without its empty line) and body.
std::string forwarded(const std::string& lines, std::string_view body = "",
                      const core::Dispatch& dispatch = dispatch_with(250ms),
                      const std::string& prefix = "", std::string_view other_model = "") {
  const std::string bytes = lines + "\r\n";
  Request request;
  const auto parsed = http::parse(bytes, 65'536, request.head);
  EXPECT_EQ(parsed.progress, http::Progress::kDone);
  request.body = body;
  config::ReplicaAddress replica;
  replica.path_prefix = prefix;
  std::string out;
  append_request_head(out, request, replica, "node-1:8000", dispatch, other_model, kNow);
  return out;
}

const std::string kInfer = "POST /v2/models/m/infer?a=b HTTP/1.1\r\nHost: sluice\r\n";

TEST(RequestHead, WholeOfAPlainOne) {
  EXPECT_EQ(forwarded(kInfer + "Content-Length: 3\r\nX-Trace:  a b \r\n", "abc"),
            "POST /v2/models/m/infer?a=b HTTP/1.1\r\n"
            "host: node-1:8000\r\n"
            "X-Trace: a b\r\n"
            "content-length: 3\r\n"
            "x-sluice-budget-ms: 250\r\n"
            "x-sluice-priority: 4\r\n"
            "\r\n");
}

TEST(RequestHead, PathPrefixOfTheReplicaStandsBeforeThePath) {
  EXPECT_THAT(forwarded(kInfer, "", dispatch_with(1s), "/triton"),
              StartsWith("POST /triton/v2/models/m/infer?a=b HTTP/1.1\r\n"));
}

TEST(RequestHead, AnotherModelStandsInThePath) {
  EXPECT_THAT(forwarded(kInfer, "", dispatch_with(1s), "/triton", "m-small"),
              StartsWith("POST /triton/v2/models/m-small/infer?a=b HTTP/1.1\r\n"));
}

TEST(RequestHead, HopByHopFieldsAreCut) {
  const std::string head =
      forwarded(kInfer +
                "Connection: keep-alive, X-Secret\r\nKeep-Alive: timeout=5\r\nTE: trailers\r\n"
                "Transfer-Encoding: chunked\r\nUpgrade: h2c\r\nProxy-Connection: close\r\n"
                "Trailer: a\r\nX-Secret: 1\r\nX-Kept: 2\r\n");
  for (const char* cut : {"Connection", "Keep-Alive", "TE:", "Transfer-Encoding", "Upgrade",
                          "Proxy-Connection", "Trailer", "X-Secret"}) {
    EXPECT_THAT(head, Not(HasSubstr(cut)));
  }
  EXPECT_THAT(head, HasSubstr("\r\nX-Kept: 2\r\n"));
}

// However the body came, it goes on with its length; expectations have been met here.
TEST(RequestHead, ExpectAndLengthAreSaidAnew) {
  const std::string head =
      forwarded(kInfer + "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n", "hello");
  EXPECT_THAT(head, Not(HasSubstr("Expect")));
  EXPECT_THAT(head, HasSubstr("\r\ncontent-length: 5\r\n"));
}

TEST(RequestHead, LengthOfAnEmptyBodyIsSaidWhereOneIsExpected) {
  EXPECT_THAT(forwarded(kInfer), HasSubstr("\r\ncontent-length: 0\r\n"));
  const std::string get = "GET /v2/models/m HTTP/1.1\r\nHost: sluice\r\n";
  EXPECT_THAT(forwarded(get), Not(HasSubstr("content-length")));
  EXPECT_THAT(forwarded(get, "x"), HasSubstr("\r\ncontent-length: 1\r\n"));
}

TEST(RequestHead, LabelsThatSluiceAnswersForAreReplaced) {
  const std::string head =
      forwarded(kInfer +
                    "X-Sluice-Budget-Ms: 9999\r\nx-sluice-priority: 0\r\n"
                    "X-SLUICE-DEADLINE: 2026-01-01T00:00:00Z\r\nx-sluice-tenant: acme\r\n",
                "", dispatch_with(80ms, 7));
  EXPECT_THAT(head, Not(HasSubstr("9999")));
  EXPECT_THAT(head, Not(HasSubstr("2026")));
  EXPECT_THAT(head, HasSubstr("\r\nx-sluice-budget-ms: 80\r\n"));
  EXPECT_THAT(head, HasSubstr("\r\nx-sluice-priority: 7\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("priority: 0")));
  EXPECT_THAT(head, HasSubstr("\r\nx-sluice-tenant: acme\r\n"));
}

TEST(RequestHead, BudgetIsWhatIsLeftOfIt) {
  const auto left = [](Duration d) { return forwarded(kInfer, "", dispatch_with(d)); };
  EXPECT_THAT(left(12'999us), HasSubstr("x-sluice-budget-ms: 12\r\n"));
  EXPECT_THAT(left(999us), HasSubstr("x-sluice-budget-ms: 0\r\n"));
  // Where deadlines are not minded.
  EXPECT_THAT(left(-5s), HasSubstr("x-sluice-budget-ms: 0\r\n"));
}

// The binary tensor extension of the Open Inference Protocol passes untouched, in its order.
TEST(RequestHead, EverythingElseGoesOnInItsOrder) {
  const std::string rest =
      "Inference-Header-Content-Length: 120\r\nContent-Type: application/octet-stream\r\n"
      "Cookie: a=1\r\nCookie: b=2\r\nAuthorization: Bearer x\r\nX-Empty: \r\n";
  EXPECT_THAT(forwarded(kInfer + rest), HasSubstr(rest));
}

std::string answered(const std::string& lines) {
  const std::string bytes = lines + "\r\n";
  http::ResponseHead head;
  EXPECT_EQ(http::parse(bytes, 65'536, false, head).progress, http::Progress::kDone);
  std::string out;
  append_answer_head(out, head);
  return out;
}

TEST(AnswerHead, StatusReasonAndFieldsPass) {
  EXPECT_EQ(answered("HTTP/1.1 418 I'm a  teapot\r\nContent-Length: 3\r\nSet-Cookie: a\r\n"
                     "Set-Cookie: b\r\n"),
            "HTTP/1.1 418 I'm a  teapot\r\nContent-Length: 3\r\nSet-Cookie: a\r\n"
            "Set-Cookie: b\r\n");
}

TEST(AnswerHead, OldVersionsAreAnsweredInOurs) {
  EXPECT_THAT(answered("HTTP/1.0 200 OK\r\n"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(AnswerHead, NoReasonIsNone) {
  EXPECT_EQ(answered("HTTP/1.1 200 \r\n"), "HTTP/1.1 200 \r\n");
}

TEST(AnswerHead, HopByHopFieldsAreCut) {
  EXPECT_EQ(answered("HTTP/1.1 200 OK\r\nConnection: close, x-a\r\nTransfer-Encoding: chunked\r\n"
                     "Keep-Alive: max=5\r\nX-A: 1\r\nX-B: 2\r\n"),
            "HTTP/1.1 200 OK\r\nX-B: 2\r\n");
}

// A replica does not speak in our name.
TEST(AnswerHead, OurOwnNamesAreDropped) {
  EXPECT_EQ(answered("HTTP/1.1 200 OK\r\nX-Sluice-Task-Id: 1\r\nx-sluice-lane: high\r\n"
                     "x-sluice-anything: 1\r\nx-sluices: kept\r\n"),
            "HTTP/1.1 200 OK\r\nx-sluices: kept\r\n");
}

TEST(AnswerHead, NoContentHasNoLength) {
  EXPECT_EQ(answered("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n"),
            "HTTP/1.1 204 No Content\r\n");
  EXPECT_THAT(answered("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n"),
              HasSubstr("Content-Length: 5\r\n"));
}

TEST(TaskHeaders, SayTaskLaneReplicaAndTimes) {
  std::string out;
  append_task_headers(out, dispatch_with(1s), "edge-1", "", 1'234'567ns, 30ms);
  EXPECT_EQ(out,
            "x-sluice-task-id: 0000000100000002\r\n"
            "x-sluice-lane: latency\r\n"
            "x-sluice-replica: edge-1\r\n"
            "server-timing: queue;dur=1.234, service;dur=30.000\r\n");
}

TEST(TaskHeaders, SayWhichOtherModelAnswered) {
  std::string out;
  append_task_headers(out, dispatch_with(1s), "edge-1", "m-small", 0ns, 0ns);
  EXPECT_THAT(out, HasSubstr("\r\nx-sluice-replica: edge-1\r\nx-sluice-model: m-small\r\n"));
}

TEST(TaskHeaders, TimesHaveThreeDigitsAndNoSign) {
  const auto timing = [](Duration queued, Duration served) {
    std::string out;
    append_task_headers(out, dispatch_with(1s), "a", "", queued, served);
    return out.substr(out.find("queue;"));
  };
  EXPECT_EQ(timing(0ns, 999ns), "queue;dur=0.000, service;dur=0.000\r\n");
  EXPECT_EQ(timing(7us, 70us), "queue;dur=0.007, service;dur=0.070\r\n");
  EXPECT_EQ(timing(-5ms, 100s), "queue;dur=0.000, service;dur=100000.000\r\n");
}

}  // namespace
}  // namespace sluice::gateway
