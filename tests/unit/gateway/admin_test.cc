#include "gateway/admin.h"

#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>

namespace sluice::gateway {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const tcp::endpoint kAnyPort(asio::ip::address_v4::loopback(), 0);

// An admin server on a thread of its own, and blocking clients.
class AdminTest : public ::testing::Test {
 protected:
  void start(AdminLimits limits = {}) {
    server_.emplace(
        io_, kAnyPort,
        AdminSources{[] { return std::string("metric 1\n"); }, [this] { return why_not_ready_; }},
        limits);
    thread_ = std::thread([this] { io_.run(); });
  }

  ~AdminTest() override {
    if (server_) asio::post(io_, [this] { server_->stop(); });
    // Returns only if stop() leaves nothing behind that waits.
    if (thread_.joinable()) thread_.join();
  }

  tcp::socket connected() {
    tcp::socket socket(client_io_);
    socket.connect(server_->local_endpoint());
    return socket;
  }

  // All that comes until the server closes.
  static std::string read_all(tcp::socket& socket) {
    std::string out;
    boost::system::error_code error;
    asio::read(socket, asio::dynamic_buffer(out), error);
    return out;
  }

  std::string exchange(const std::string& request) {
    auto socket = connected();
    boost::system::error_code ignored;
    asio::write(socket, asio::buffer(request), ignored);
    return read_all(socket);
  }

  std::string get(const std::string& target) {
    return exchange("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  }

  asio::io_context io_{1};
  asio::io_context client_io_;
  std::string why_not_ready_;
  std::optional<AdminServer> server_;
  std::thread thread_;
};

TEST_F(AdminTest, Metrics) {
  start();
  const auto answer = get("/metrics");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nmetric 1\n"));
}

TEST_F(AdminTest, QueryIsIgnored) {
  start();
  EXPECT_THAT(get("/metrics?a=b"), HasSubstr("metric 1\n"));
}

TEST_F(AdminTest, HealthDoesNotDependOnReplicas) {
  why_not_ready_ = "no replica is ready";
  start();
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(AdminTest, Ready) {
  start();
  EXPECT_THAT(get("/readyz"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(AdminTest, NotReadySaysWhy) {
  why_not_ready_ = "no replica is ready";
  start();
  const auto answer = get("/readyz");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nno replica is ready\n"));
}

TEST_F(AdminTest, UnknownPathAndMethod) {
  start();
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 404 "));
  const auto answer = exchange("PUT /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD\r\n"));
}

TEST_F(AdminTest, HeadHasNoBody) {
  start();
  const auto answer = exchange("HEAD /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 9\r\n"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST_F(AdminTest, ConnectionIsReused) {
  start();
  const auto answers = exchange(
      "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
      "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answers, HasSubstr("ok\n"));
  EXPECT_THAT(answers, HasSubstr("metric 1\n"));
}

TEST_F(AdminTest, GarbageIsRefused) {
  start();
  EXPECT_THAT(exchange("\x16\x03\x01 no HTTP\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(exchange("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
              StartsWith("HTTP/1.1 400 "));
}

TEST_F(AdminTest, BodyIsRefused) {
  start();
  EXPECT_THAT(exchange("GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
              StartsWith("HTTP/1.1 413 "));
}

TEST_F(AdminTest, LargeHeadIsRefused) {
  start({.head_bytes = 512});
  EXPECT_THAT(exchange("GET / HTTP/1.1\r\na: " + std::string(2000, 'x') + "\r\n\r\n"),
              StartsWith("HTTP/1.1 431 "));
}

TEST_F(AdminTest, SlowHeadIsCutOff) {
  start({.stage = std::chrono::milliseconds(50)});
  EXPECT_EQ(exchange("GET / HTTP/1.1\r\nHost:"), "");
}

TEST_F(AdminTest, ConnectionsAreBounded) {
  start({.connections = 2});
  auto first = connected();
  auto second = connected();
  EXPECT_EQ(get("/healthz"), "");  // closed at once
  first.close();
  // The server sees the end of the first a moment later.
  std::string answer;
  for (int i = 0; i < 1000 && answer.empty(); ++i) answer = get("/healthz");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
}

TEST_F(AdminTest, StopClosesConnections) {
  start();
  auto idle = connected();
  // One exchange, so that the server has surely accepted it.
  asio::write(idle, asio::buffer(std::string("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")));
  char byte = 0;
  asio::read(idle, asio::buffer(&byte, 1));
  asio::post(io_, [this] { server_->stop(); });
  thread_.join();
  EXPECT_TRUE(read_all(idle).ends_with("ok\n"));
}

TEST_F(AdminTest, TakenAddressIsNamed) {
  start();
  try {
    AdminServer second(io_, server_->local_endpoint(), {});
    FAIL() << "bound twice";
  } catch (const boost::system::system_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("admin listener 127.0.0.1:"));
  }
}

TEST(AdminServer, MayBeDestroyedWithoutEverRunning) {
  asio::io_context io;
  std::optional<AdminServer> server(std::in_place, io, kAnyPort, AdminSources{});
  const tcp::endpoint address = server->local_endpoint();
  server.reset();
  EXPECT_GT(io.run(), 0u) << "what waited is told that it is over";
  EXPECT_TRUE(io.stopped()) << "and nothing waits any more";
  tcp::socket socket(io);
  boost::system::error_code error;
  socket.connect(address, error);
  EXPECT_EQ(error, asio::error::connection_refused);
}

}  // namespace
}  // namespace sluice::gateway
