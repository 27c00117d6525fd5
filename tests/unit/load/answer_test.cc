#include "load/answer.h"

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <string>

namespace sluice::load {
namespace {

Answer parse(const std::string& bytes) {
  AnswerParser parser;
  boost::beast::error_code error;
  parser.put(boost::asio::buffer(bytes), error);
  EXPECT_FALSE(error) << error.message();
  EXPECT_TRUE(parser.is_done());
  return parser.take();
}

TEST(Answer, KeepsWhatSluiceSays) {
  const Answer answer = parse(
      "HTTP/1.1 200 OK\r\nX-Sluice-Lane: high\r\nx-sluice-replica: gpu-1\r\n"
      "Server-Timing: queue;dur=1.5, service;dur=20\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(answer.lane, "high");
  EXPECT_EQ(answer.replica, "gpu-1");
  EXPECT_EQ(answer.queued, from_ms(1.5));
  EXPECT_TRUE(answer.keep_alive);
  EXPECT_EQ(ending_of(answer).outcome, "completed");
}

TEST(Answer, NoticesThatTheConnectionEnds) {
  EXPECT_FALSE(
      parse("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").keep_alive);
}

TEST(Answer, ReadsTheReasonOfAProblemDocument) {
  const std::string body = R"({"status": 503, "reason": "would_miss_deadline"})";
  const std::string head =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: "
      "application/problem+json; charset=utf-8\r\n";
  const Answer plain =
      parse(head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_EQ(plain.reason, "would_miss_deadline");
  const Answer chunked =
      parse(head + "Transfer-Encoding: chunked\r\n\r\na\r\n" + body.substr(0, 10) + "\r\n26\r\n" +
            body.substr(10) + "\r\n0\r\n\r\n");
  EXPECT_EQ(chunked.reason, "would_miss_deadline");
}

TEST(Answer, AProblemThatIsNoneHasNoReason) {
  for (const std::string body : {"", "{", "[]", "7", R"({"reason": 7})", R"({"x": "y"})"}) {
    const Answer answer =
        parse("HTTP/1.1 500 x\r\nContent-Type: application/problem+json\r\n" +
              ("Content-Length: " + std::to_string(body.size())) + "\r\n\r\n" + body);
    EXPECT_EQ(answer.reason, "") << body;
    EXPECT_EQ(ending_of(answer).reason, "http_500");
  }
}

TEST(Answer, KeepsOnlyTheStartOfALargeProblem) {
  const std::string body(1 << 20, ' ');
  const Answer answer =
      parse("HTTP/1.1 503 x\r\nContent-Type: application/problem+json\r\n" +
            ("Content-Length: " + std::to_string(body.size())) + "\r\n\r\n" + body);
  EXPECT_EQ(answer.reason, "");
}

struct EndingCase {
  unsigned status;
  const char* reason;
  const char* outcome;
  const char* told;
};

class Endings : public testing::TestWithParam<EndingCase> {};

TEST_P(Endings, FollowFromStatusAndReason) {
  const EndingCase& c = GetParam();
  Answer answer;
  answer.status = c.status;
  answer.reason = c.reason;
  EXPECT_EQ(ending_of(answer).outcome, c.outcome);
  EXPECT_EQ(ending_of(answer).reason, c.told);
}

INSTANTIATE_TEST_SUITE_P(
    Answer, Endings,
    testing::Values(EndingCase{200, "", "completed", "none"},
                    EndingCase{503, "queue_full", "refused", "queue_full"},
                    EndingCase{429, "", "refused", "http_429"},
                    EndingCase{503, "", "refused", "http_503"},
                    EndingCase{503, "replica_busy", "failed", "replica_busy"},
                    EndingCase{504, "deadline_passed", "expired", "deadline_passed"},
                    EndingCase{503, "queue_timeout", "expired", "queue_timeout"},
                    EndingCase{503, "load_failed", "expired", "load_failed"},
                    EndingCase{504, "replica_timeout", "failed", "replica_timeout"},
                    EndingCase{400, "malformed", "failed", "malformed"},
                    EndingCase{404, "", "failed", "http_404"}));

TEST(ServerTiming, FindsAMetricAmongOthers) {
  EXPECT_EQ(server_timing("service;dur=20, queue;desc=\"x\";dur=0.25", "queue"), from_ms(0.25));
  EXPECT_EQ(server_timing("queue;dur=3", "queue"), from_ms(3));
}

TEST(ServerTiming, HasNothingToSayAboutTheRest) {
  for (const char* header : {"", "queue", "queue;dur", "queue;dur=", "queue;dur=x", "queue;dur=-1",
                             "queue;dur=1e300", "queue;dur=nan", "queued;dur=1", ";,;=,"}) {
    EXPECT_FALSE(server_timing(header, "queue")) << header;
  }
}

}  // namespace
}  // namespace sluice::load
