// One node as the gateway reaches it: its address and its pool of connections.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

#include "core/action.h"
#include "gateway/context.h"

namespace sluice::gateway {

class Caller;
class ReplicaConnection;
class Switchboard;

class Replica {
 public:
  // Resolves the address: throws boost::system::system_error when it cannot.
  Replica(Switchboard& board, core::NodeId node);
  ~Replica();
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  // Carries out a dispatch over an idle connection, or over a new one.
  void run(const core::Dispatch& dispatch, std::shared_ptr<Caller> caller);

  // The same over a new connection, whatever is idle.
  void run_on_new(const core::Dispatch& dispatch, std::shared_ptr<Caller> caller);

  // --- for its connections ---------------------------------------------------------------------
  // Last used first: few connections stay warm, the others are closed by the replica in its time.
  // At most as many are kept as attempts have been in flight at once.
  void keep(std::shared_ptr<ReplicaConnection> idle);
  // An idle connection was closed by the replica.
  void forget(const ReplicaConnection* idle);
  void close_idle();

  const boost::asio::ip::tcp::endpoint& endpoint() const { return endpoint_; }
  const config::ReplicaAddress& address() const { return address_; }
  // Value of the Host header.
  const std::string& host() const { return host_; }
  const std::string& name() const { return name_; }
  core::NodeId node() const { return node_; }
  bool stops_on_close() const { return stops_on_close_; }

 private:
  Switchboard& board_;
  core::NodeId node_;
  const config::ReplicaAddress& address_;
  std::string host_;
  std::string name_;
  bool stops_on_close_;
  boost::asio::ip::tcp::endpoint endpoint_;
  std::vector<std::shared_ptr<ReplicaConnection>> idle_;
};

}  // namespace sluice::gateway
