#include "probe/round_trip.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

namespace sluice::probe {
namespace {

using boost::asio::ip::tcp;

TEST(ShortestRoundTrip, IsMeasuredOnAConnection) {
  boost::asio::io_context io;
  tcp::acceptor acceptor(io, {boost::asio::ip::address_v4::loopback(), 0});
  tcp::socket client(io);
  client.connect(acceptor.local_endpoint());
  tcp::socket server = acceptor.accept();
  std::array<char, 1> byte{};
  boost::asio::write(client, boost::asio::buffer("x", 1));
  boost::asio::read(server, boost::asio::buffer(byte));
  boost::asio::write(server, boost::asio::buffer("y", 1));
  boost::asio::read(client, boost::asio::buffer(byte));
  const auto trip = shortest_round_trip(client.native_handle());
  ASSERT_TRUE(trip);
  EXPECT_GT(*trip, Duration::zero());
  EXPECT_LT(*trip, std::chrono::seconds(1));
}

TEST(ShortestRoundTrip, NoneForWhatIsNoSocket) {
  EXPECT_FALSE(shortest_round_trip(-1));
}

}  // namespace
}  // namespace sluice::probe
