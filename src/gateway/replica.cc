#include "gateway/replica.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/ip/tcp.hpp>

#include "gateway/caller.h"
#include "gateway/replica_connection.h"
#include "gateway/switchboard.h"

namespace sluice::gateway {
namespace {

boost::asio::ip::tcp::endpoint resolve(boost::asio::io_context& io,
                                       const config::Address& address) {
  boost::asio::ip::tcp::resolver resolver(io);
  ErrorCode error;
  const auto found = resolver.resolve(address.host, std::to_string(address.port), error);
  if (error) {
    throw boost::system::system_error(error,
                                      fmt::format("replica {}:{}", address.host, address.port));
  }
  return found.begin()->endpoint();
}

std::string host_header(const config::Address& address) {
  const std::string port = std::to_string(address.port);
  // An IPv6 literal stands in brackets.
  if (address.host.find(':') != std::string::npos) return "[" + address.host + "]:" + port;
  return address.host + ":" + port;
}

}  // namespace

Replica::Replica(Switchboard& board, core::NodeId node)
    : board_(board),
      node_(node),
      address_(board.context().config.replicas[node.value]),
      host_(host_header(address_.address)),
      name_(board.context().config.core.nodes[node.value].name),
      stops_on_close_(board.context().config.core.nodes[node.value].cancel ==
                      core::CancelMode::kStops),
      endpoint_(resolve(board.context().io, address_.address)) {}

Replica::~Replica() = default;

void Replica::run(const core::Dispatch& dispatch, std::shared_ptr<Caller> caller) {
  if (idle_.empty()) return run_on_new(dispatch, std::move(caller));
  const std::shared_ptr<ReplicaConnection> connection = std::move(idle_.back());
  idle_.pop_back();
  connection->run(dispatch, std::move(caller));
}

void Replica::run_on_new(const core::Dispatch& dispatch, std::shared_ptr<Caller> caller) {
  std::make_shared<ReplicaConnection>(board_, *this)->run(dispatch, std::move(caller));
}

void Replica::keep(std::shared_ptr<ReplicaConnection> idle) {
  idle_.push_back(std::move(idle));
}

void Replica::forget(const ReplicaConnection* idle) {
  std::erase_if(idle_, [idle](const auto& kept) { return kept.get() == idle; });
}

void Replica::close_idle() {
  const auto closing = std::exchange(idle_, {});
  for (const auto& connection : closing) connection->close();
}

}  // namespace sluice::gateway
