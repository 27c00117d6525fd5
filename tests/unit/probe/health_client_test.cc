#include "probe/health_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/probe/scripted_replica.h"

namespace sluice::probe {
namespace {

namespace asio = boost::asio;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Answer = ScriptedReplica::Answer;
using Then = ScriptedReplica::Then;

constexpr Duration kTimeout = std::chrono::milliseconds(200);

class HealthClientTest : public ::testing::Test {
 protected:
  void answer_with(Answer answer) { answer_ = std::move(answer); }

  // One check, run to its end.
  CheckResult check() {
    std::optional<CheckResult> result;
    asio::co_spawn(io_, client_.check(), [&](std::exception_ptr thrown, CheckResult r) {
      EXPECT_EQ(thrown, nullptr);
      result = std::move(r);
    });
    while (!result && io_.run_one() > 0) {
    }
    EXPECT_TRUE(result) << "the check did not end";
    return result.value_or(CheckResult{});
  }

  std::string failure() {
    auto result = check();
    EXPECT_FALSE(result.round_trip);
    return result.failure;
  }

  asio::io_context io_{1};
  Answer answer_{ScriptedReplica::ok()};
  ScriptedReplica replica_{io_, [this] { return answer_; }};
  HealthTarget target_{core::NodeId{0}, "edge", {"127.0.0.1", replica_.port()}, "/v2/health/ready"};
  HealthClient client_{io_, target_, kTimeout};
};

TEST_F(HealthClientTest, PassesAndMeasures) {
  const auto result = check();
  ASSERT_TRUE(result.round_trip) << result.failure;
  EXPECT_GT(*result.round_trip, Duration(0));
  EXPECT_LT(*result.round_trip, kTimeout);
  EXPECT_EQ(result.failure, "");
}

TEST_F(HealthClientTest, AsksForThePathAndNamesTheHost) {
  check();
  EXPECT_THAT(replica_.last_request(), StartsWith("GET /v2/health/ready HTTP/1.1\r\n"));
  EXPECT_THAT(replica_.last_request(),
              HasSubstr("Host: 127.0.0.1:" + std::to_string(replica_.port()) + "\r\n"));
}

TEST_F(HealthClientTest, ConnectionIsKept) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(check().round_trip);
  EXPECT_EQ(replica_.connections(), 1);
}

TEST_F(HealthClientTest, IdleConnectionClosedByTheReplicaIsNoFailure) {
  answer_with({ScriptedReplica::ok(), Then::kClose});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(check().round_trip);
  EXPECT_EQ(replica_.connections(), 3);
}

TEST_F(HealthClientTest, ErrorStatusFailsAndKeepsTheConnection) {
  answer_with({"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_EQ(failure(), "answered 503");
  EXPECT_EQ(failure(), "answered 503");
  EXPECT_EQ(replica_.connections(), 1);
}

TEST_F(HealthClientTest, AnswerThatEndsWithTheConnectionPasses) {
  answer_with({"HTTP/1.1 200 OK\r\n\r\nready", Then::kClose});
  EXPECT_TRUE(check().round_trip);
}

TEST_F(HealthClientTest, NobodyThere) {
  replica_.close();
  EXPECT_THAT(failure(), StartsWith("cannot connect: "));
}

TEST_F(HealthClientTest, ClosedWithoutAnAnswer) {
  answer_with({"", Then::kClose});
  EXPECT_EQ(failure(), "closed without an answer");
}

TEST_F(HealthClientTest, SilenceEndsWithTheTimeout) {
  answer_with({""});
  EXPECT_THAT(failure(), StartsWith("no answer: "));
}

TEST_F(HealthClientTest, HalfAnAnswer) {
  answer_with({"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", Then::kClose});
  EXPECT_THAT(failure(), StartsWith("no answer: "));
}

TEST_F(HealthClientTest, Garbage) {
  answer_with({"\x15\x03\x03 this is no HTTP\r\n\r\n"});
  EXPECT_THAT(failure(), StartsWith("no answer: "));
}

TEST_F(HealthClientTest, EndlessHeadIsBounded) {
  answer_with({"HTTP/1.1 200 OK\r\na: " + std::string(20'000, 'x') + "\r\n"});
  EXPECT_THAT(failure(), StartsWith("no answer: "));
}

TEST_F(HealthClientTest, EndlessBodyIsBounded) {
  answer_with({"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" + std::string(4096, 'x'),
               Then::kRepeat});
  EXPECT_THAT(failure(), StartsWith("no answer: "));
}

TEST_F(HealthClientTest, EndlessChunksAreBounded) {
  std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 20; ++i) bytes += "1000\r\n" + std::string(4096, 'x') + "\r\n";
  answer_with({bytes});
  EXPECT_THAT(failure(), StartsWith("no answer: "));
}

TEST_F(HealthClientTest, UnaskedBytesAreNotTheNextAnswer) {
  answer_with({ScriptedReplica::ok() + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_TRUE(check().round_trip);
  answer_with({"HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_EQ(failure(), "answered 500");
}

TEST_F(HealthClientTest, RecoversAfterGarbage) {
  answer_with({"garbage\r\n\r\n"});
  EXPECT_FALSE(check().round_trip);
  answer_with({ScriptedReplica::ok()});
  EXPECT_TRUE(check().round_trip);
}

TEST_F(HealthClientTest, NamesAreResolved) {
  target_.address.host = "localhost";
  EXPECT_TRUE(check().round_trip);
}

TEST_F(HealthClientTest, CloseEndsARunningCheck) {
  answer_with({""});
  std::optional<CheckResult> result;
  asio::co_spawn(io_, client_.check(),
                 [&](std::exception_ptr, CheckResult r) { result = std::move(r); });
  while (replica_.requests() == 0) io_.run_one();
  client_.close();
  while (!result) io_.run_one();
  EXPECT_FALSE(result->round_trip);
}

}  // namespace
}  // namespace sluice::probe
