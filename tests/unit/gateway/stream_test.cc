#include "gateway/stream.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include "unit/gateway/polled.h"

namespace sluice::gateway {
namespace {

using namespace std::chrono_literals;
using Got = Stream::Got;

// A stream on one end of a pair; the test holds the other.
class StreamTest : public ::testing::Test {
 protected:
  StreamTest() {
    owner_->then = [this] {
      const Told::Edge& edge = owner_->edges.back();
      stream_.note(edge.readable, edge.hung_up);
    };
    EXPECT_TRUE(stream_.adopt(pair_.ours.release(), owner_));
    poller_.wait(0ms);
  }

  Stream::ReadResult read(std::size_t space) {
    buffer_.resize(space);
    const auto result = stream_.read(buffer_.data(), space);
    buffer_.resize(result.bytes);
    return result;
  }
  void expect_bytes(std::size_t space, const std::string& bytes) {
    EXPECT_EQ(read(space).got, Got::kBytes);
    EXPECT_EQ(buffer_, bytes);
  }

  Poller poller_;
  SocketPair pair_;
  std::shared_ptr<Told> owner_ = std::make_shared<Told>();
  Stream stream_{poller_};
  std::string buffer_;
};

// The kernel is not asked what is known.
TEST_F(StreamTest, NothingIsReadBeforeAnEdge) {
  put(pair_.theirs, "hello");
  EXPECT_EQ(read(100).got, Got::kNothing);
  poller_.wait(1s);
  EXPECT_TRUE(stream_.readable());
  expect_bytes(100, "hello");
}

TEST_F(StreamTest, ShortReadIsTheLastOfAnEdge) {
  put(pair_.theirs, "hello");
  poller_.wait(1s);
  expect_bytes(4, "hell");
  EXPECT_TRUE(stream_.readable());
  expect_bytes(4, "o");
  EXPECT_FALSE(stream_.readable());
}

TEST_F(StreamTest, ReadOfExactlyAllFindsNothingNext) {
  put(pair_.theirs, "hello");
  poller_.wait(1s);
  expect_bytes(5, "hello");
  EXPECT_EQ(read(5).got, Got::kNothing);
  EXPECT_FALSE(stream_.readable());
}

// No edge follows a hang-up: the end has to be looked for behind the bytes.
TEST_F(StreamTest, EndComesBehindTheBytes) {
  put(pair_.theirs, "last words");
  pair_.theirs.close();
  poller_.wait(1s);
  expect_bytes(100, "last words");
  EXPECT_TRUE(stream_.readable());
  EXPECT_EQ(read(100).got, Got::kEnd);
}

TEST_F(StreamTest, EndInAnEdgeOfItsOwn) {
  put(pair_.theirs, "a");
  poller_.wait(1s);
  expect_bytes(100, "a");
  ::shutdown(pair_.theirs.get(), SHUT_WR);
  poller_.wait(1s);
  EXPECT_EQ(read(100).got, Got::kEnd);
}

// A peer that goes without having read what it was sent resets the connection.
TEST_F(StreamTest, ResetIsBrokenAndNoEnd) {
  EXPECT_TRUE(stream_.send({"unread", "", ""}));
  pair_.theirs.close();
  poller_.wait(1s);
  EXPECT_EQ(read(100).got, Got::kBroken);
}

TEST_F(StreamTest, PiecesAreSentInOrder) {
  EXPECT_TRUE(stream_.send({"head ", "", "tail"}));
  EXPECT_FALSE(stream_.pending());
  EXPECT_EQ(take(pair_.theirs), "head tail");
  EXPECT_TRUE(stream_.send({"", "", ""}));
  EXPECT_EQ(take(pair_.theirs), "");
}

TEST_F(StreamTest, WhatTheSocketDoesNotTakeIsPending) {
  const std::string head(100'000, 'h');
  const std::string body(500'000, 'b');
  const std::string tail(50'000, 't');
  bool done = stream_.send({head, body, tail});
  ASSERT_FALSE(done);
  std::string got;
  for (int turn = 0; turn < 10'000 && !done; ++turn) {
    EXPECT_TRUE(stream_.pending());
    got += take(pair_.theirs);
    poller_.wait(1s);
    EXPECT_TRUE(owner_->edges.back().writable);
    done = stream_.flush();
  }
  EXPECT_FALSE(stream_.pending());
  got += take(pair_.theirs);
  EXPECT_TRUE(got == head + body + tail);
}

TEST_F(StreamTest, FlushOfAFullSocketChangesNothing) {
  const std::string bytes(10'000'000, 'a');
  ASSERT_FALSE(stream_.send({bytes, "", ""}));
  EXPECT_FALSE(stream_.flush());
  EXPECT_FALSE(stream_.flush());
  EXPECT_FALSE(stream_.broken());
  EXPECT_TRUE(stream_.pending());
}

TEST_F(StreamTest, BrokenPipeSwallowsWhatIsSent) {
  pair_.theirs.close();
  EXPECT_TRUE(stream_.send({"into", "the", "void"}));
  EXPECT_TRUE(stream_.broken());
  EXPECT_FALSE(stream_.pending());
  // Without an edge, too: whoever sends finds out when reading.
  EXPECT_TRUE(stream_.readable());
  EXPECT_EQ(read(100).got, Got::kEnd);
}

TEST_F(StreamTest, BreakingWhilePendingSwallowsTheRest) {
  const std::string bytes(10'000'000, 'a');
  ASSERT_FALSE(stream_.send({bytes, bytes, ""}));
  pair_.theirs.close();
  EXPECT_TRUE(stream_.flush());
  EXPECT_FALSE(stream_.pending());
  EXPECT_TRUE(stream_.broken());
}

// A replica that refuses a body in the middle says why before it closes.
TEST_F(StreamTest, WhatWasSaidBeforeTheBreakIsStillRead) {
  put(pair_.theirs, "413 because");
  pair_.theirs.close();
  EXPECT_TRUE(stream_.send({"more body", "", ""}));
  ASSERT_TRUE(stream_.broken());
  poller_.wait(1s);
  expect_bytes(100, "413 because");
  EXPECT_EQ(read(100).got, Got::kEnd);
}

TEST_F(StreamTest, EndOfSendingComesBehindWhatWasSent) {
  stream_.send({"bye", "", ""});
  stream_.shut_down_sending();
  char bytes[10];
  EXPECT_EQ(::recv(pair_.theirs.get(), bytes, sizeof bytes, 0), 3);
  EXPECT_EQ(::recv(pair_.theirs.get(), bytes, sizeof bytes, 0), 0);
  // The other direction is open.
  put(pair_.theirs, "still here");
  poller_.wait(1s);
  expect_bytes(100, "still here");
}

TEST_F(StreamTest, AgainTellsTheOwnerInTheNextTurn) {
  const std::size_t told = owner_->edges.size();
  stream_.again();
  poller_.wait(1h);
  EXPECT_EQ(owner_->edges.size(), told + 1);
}

TEST_F(StreamTest, ClosedIsQuiet) {
  put(pair_.theirs, "unread");
  poller_.wait(1s);
  stream_.close();
  stream_.close();
  stream_.shut_down_sending();
  EXPECT_EQ(read(100).got, Got::kNothing);
  EXPECT_TRUE(stream_.send({"void", "", ""}));
  EXPECT_FALSE(stream_.pending());
  const std::size_t told = owner_->edges.size();
  poller_.wait(0ms);
  EXPECT_EQ(owner_->edges.size(), told);
}

TEST_F(StreamTest, ClosedWhilePendingForgetsWhatWasPending) {
  const std::string bytes(10'000'000, 'a');
  ASSERT_FALSE(stream_.send({bytes, "", ""}));
  stream_.close();
  EXPECT_FALSE(stream_.pending());
}

TEST_F(StreamTest, AdoptedAnewItBeginsAnew) {
  pair_.theirs.close();
  stream_.send({"void", "", ""});
  poller_.wait(1s);
  stream_.close();
  pair_ = SocketPair();
  ASSERT_TRUE(stream_.adopt(pair_.ours.release(), owner_));
  EXPECT_FALSE(stream_.broken());
  EXPECT_FALSE(stream_.readable());
  poller_.wait(0ms);
  put(pair_.theirs, "fresh");
  poller_.wait(1s);
  expect_bytes(100, "fresh");
  EXPECT_FALSE(stream_.readable());
}

// --- connecting
// ------------------------------------------------------------------------------------

// A TCP socket on a port of its own, listening or not.
struct Server {
  explicit Server(bool listening) : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    SLUICE_CHECK(::bind(socket.get(), sockaddr_of(), size) == 0, "no port");
    SLUICE_CHECK(::getsockname(socket.get(), sockaddr_of(), &size) == 0, "no name");
    if (listening) SLUICE_CHECK(::listen(socket.get(), 5) == 0, "cannot listen");
  }
  sockaddr* sockaddr_of() { return reinterpret_cast<sockaddr*>(&address); }

  Descriptor socket;
  sockaddr_in address{};
};

TEST(StreamConnect, WritableSaysThatItHasEnded) {
  Server server(true);
  Poller poller;
  const auto owner = std::make_shared<Told>();
  Stream stream(poller);
  ASSERT_TRUE(stream.connect(server.sockaddr_of(), sizeof server.address, owner));
  while (owner->edges.empty()) ASSERT_GT(poller.wait(5s), 0u);
  EXPECT_TRUE(owner->edges.back().writable);
  EXPECT_TRUE(stream.connected());
  EXPECT_TRUE(stream.send({"hello", "", ""}));
  const Descriptor accepted(::accept(server.socket.get(), nullptr, nullptr));
  char bytes[10];
  EXPECT_EQ(::recv(accepted.get(), bytes, sizeof bytes, 0), 5);
}

TEST(StreamConnect, RefusedIsNotConnected) {
  Server server(false);
  Poller poller;
  const auto owner = std::make_shared<Told>();
  Stream stream(poller);
  if (!stream.connect(server.sockaddr_of(), sizeof server.address, owner)) return;  // at once
  while (owner->edges.empty()) ASSERT_GT(poller.wait(5s), 0u);
  EXPECT_TRUE(owner->edges.back().hung_up);
  EXPECT_FALSE(stream.connected());
}

TEST(StreamConnect, AddressWithoutAWayFailsAtOnce) {
  Poller poller;
  Stream stream(poller);
  sockaddr nowhere{};
  nowhere.sa_family = AF_UNSPEC;
  EXPECT_FALSE(stream.connect(&nowhere, sizeof nowhere, std::make_shared<Told>()));
}

}  // namespace
}  // namespace sluice::gateway
