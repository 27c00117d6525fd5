// Takes callers' connections.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "gateway/context.h"

namespace sluice::gateway {

class Switchboard;

class Listener {
 public:
  // Listens from here on. Throws boost::system::system_error, with the address in its text, when it
  // cannot.
  Listener(Switchboard& board, const config::Address& address);

  void start() { accept(); }
  void stop();
  // With the real port, where 0 was asked for.
  boost::asio::ip::tcp::endpoint local_endpoint() const { return acceptor_.local_endpoint(); }

 private:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

  void accept();
  void on_accept(const ErrorCode& error, Socket socket);
  // Out of descriptors, or full: the kernel's queue holds the newcomers meanwhile.
  void pause();

  Switchboard& board_;
  Context& context_;
  Acceptor acceptor_;
  boost::asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace sluice::gateway
