#include "model_server/server.h"

#include <array>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

namespace sluice::model_server {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A caller of its own kind: bytes out, bytes in, nothing of the server's libraries for HTTP.
class Caller {
 public:
  explicit Caller(std::uint16_t port) : socket_(io_) {
    socket_.connect({asio::ip::make_address("127.0.0.1"), port});
  }

  void send(std::string_view bytes) { asio::write(socket_, asio::buffer(bytes)); }

  // Everything up to and including the next `end`.
  std::string receive_until(std::string_view end) {
    const std::size_t size = asio::read_until(socket_, asio::dynamic_buffer(received_), end);
    std::string text = received_.substr(0, size);
    received_.erase(0, size);
    return text;
  }

  // One whole answer.
  std::string receive_answer() {
    constexpr std::string_view kLength = "Content-Length: ";
    std::string head = receive_until("\r\n\r\n");
    const std::size_t body_bytes = std::stoul(head.substr(head.find(kLength) + kLength.size()));
    if (received_.size() < body_bytes) {
      asio::read(socket_, asio::dynamic_buffer(received_),
                 asio::transfer_exactly(body_bytes - received_.size()));
    }
    std::string answer = std::move(head) + received_.substr(0, body_bytes);
    received_.erase(0, body_bytes);
    return answer;
  }

  // True when the server closes without another byte.
  bool is_closed() {
    boost::system::error_code error;
    std::array<char, 1> byte;
    socket_.read_some(asio::buffer(byte), error);
    return error == asio::error::eof || error == asio::error::connection_reset;
  }

  std::string ask(std::string_view bytes) {
    send(bytes);
    return receive_answer();
  }

 private:
  asio::io_context io_;
  asio::ip::tcp::socket socket_;
  std::string received_;
};

std::string post(std::string_view model, std::string_view body, std::string_view headers = "") {
  return "POST /v2/models/" + std::string(model) + "/infer HTTP/1.1\r\nHost: a\r\n" +
         std::string(headers) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

class ServerTest : public ::testing::Test {
 protected:
  ~ServerTest() override { stop(); }

  void stop() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }

  Caller caller() const { return Caller(port_); }

  // Until that many requests for the model wait.
  void wait_for_waiting(int slow) const {
    const std::string line =
        R"(pending_request_count{model="slow",version="1"} )" + std::to_string(slow) + "\n";
    const auto give_up = Clock::now() + 20s;
    while (Clock::now() < give_up) {
      if (caller().ask("GET /metrics HTTP/1.1\r\n\r\n").find(line) != line.npos) return;
    }
    FAIL() << "never seen: " << line;
  }

  Server server_{{.listen = {.port = 0},
                  .slots = 1,
                  .queue = 1,
                  .models = {{"quick", TimedOptions{.mean = 1us}},
                             {"slow", TimedOptions{.mean = 1h, .cv = 0}}},
                  .body_limit_bytes = 1000,
                  .drain_limit = 100ms}};
  std::uint16_t port_ = server_.port();
  std::thread thread_{[this] { server_.run(); }};
};

TEST_F(ServerTest, ServesRequestAfterRequestOnOneConnection) {
  Caller a = caller();
  EXPECT_THAT(a.ask("GET /v2/health/ready HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200 OK\r\n"));
  const std::string answer = a.ask(post("quick", R"({"id":"1"})"));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"));
  EXPECT_THAT(answer, HasSubstr(R"("id":"1")"));
  EXPECT_EQ(a.ask(post("quick", R"({"id":"1"})")), answer);
}

TEST_F(ServerTest, ServesPipelinedRequestsInOrder) {
  Caller a = caller();
  a.send(post("quick", R"({"id":"1"})") + post("quick", R"({"id":"2"})"));
  EXPECT_THAT(a.receive_answer(), HasSubstr(R"("id":"1")"));
  EXPECT_THAT(a.receive_answer(), HasSubstr(R"("id":"2")"));
}

TEST_F(ServerTest, TakesChunkedBodiesAndExpectations) {
  Caller a = caller();
  const std::string expecting = post("quick", "body", "Expect: 100-continue\r\n");
  a.send(expecting.substr(0, expecting.size() - 4));
  EXPECT_EQ(a.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  const std::string answer = a.ask("body");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(a.ask("POST /v2/models/quick/infer HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n"),
            answer);
}

TEST_F(ServerTest, RefusesWhatItCannotServeAndGoesOn) {
  Caller a = caller();
  EXPECT_THAT(a.ask(post("none", "")), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(a.ask("GET /v2/models/quick/infer HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(a.ask("HEAD /v2 HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(a.ask(post("quick", "{}", "Inference-Header-Content-Length: 3\r\n")),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(a.ask(post("quick", "{}", "Inference-Header-Content-Length: x\r\n")),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(a.ask("GET /v2/models/quick/versions/1 HTTP/1.1\r\n\r\n"), HasSubstr("200 OK"));
}

TEST_F(ServerTest, AnswersBytesThatAreNoRequestAndCloses) {
  for (const std::string& bytes :
       {std::string("nonsense\r\n\r\n"), post("quick", std::string(1001, 'x')),
        "GET / HTTP/1.1\r\nA: " + std::string(20'000, 'x') + "\r\n\r\n"}) {
    Caller a = caller();
    EXPECT_THAT(a.ask(bytes), StartsWith("HTTP/1.1 4")) << bytes.substr(0, 40);
    EXPECT_TRUE(a.is_closed());
  }
  EXPECT_THAT(caller().ask(post("quick", std::string(1000, 'x'))), StartsWith("HTTP/1.1 200 "));
}

TEST_F(ServerTest, FullQueueIsAnswered503) {
  Caller running = caller();
  running.send(post("slow", ""));
  Caller waiting = caller();
  waiting.send(post("slow", ""));
  wait_for_waiting(1);
  EXPECT_THAT(caller().ask(post("quick", "")),
              AllOf(StartsWith("HTTP/1.1 503 "), EndsWith(R"({"error":"the queue is full"})")));
}

TEST_F(ServerTest, CallersWhoLeaveGiveBackTheirPlaces) {
  {
    Caller running = caller();
    running.send(post("slow", ""));
    Caller waiting = caller();
    waiting.send(post("slow", ""));
    wait_for_waiting(1);
  }
  wait_for_waiting(0);
  // Neither runs any more, or this would take an hour.
  EXPECT_THAT(caller().ask(post("quick", "")), StartsWith("HTTP/1.1 200 "));
}

TEST_F(ServerTest, LeavingIsNoticedOnAConnectionUsedBefore) {
  {
    Caller a = caller();
    for (int i = 0; i < 3; ++i) a.ask(post("quick", ""));
    a.send(post("slow", ""));
    Caller waiting = caller();
    waiting.send(post("slow", ""));
    wait_for_waiting(1);
  }
  wait_for_waiting(0);
  EXPECT_THAT(caller().ask(post("quick", "")), StartsWith("HTTP/1.1 200 "));
}

TEST_F(ServerTest, StoppingClosesIdleConnections) {
  Caller idle = caller();
  idle.ask("GET /v2/health/live HTTP/1.1\r\n\r\n");
  stop();
  EXPECT_TRUE(idle.is_closed());
}

TEST_F(ServerTest, StoppingWaitsForWhatRunsButNotForEver) {
  Caller running = caller();
  running.send(post("slow", ""));
  Caller waiting = caller();
  waiting.send(post("slow", ""));
  wait_for_waiting(1);
  stop();  // would take an hour
  EXPECT_TRUE(running.is_closed());
  EXPECT_TRUE(waiting.is_closed());
}

}  // namespace
}  // namespace sluice::model_server
