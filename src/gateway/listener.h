// Takes callers' connections.
#pragma once

#include <memory>

#include <boost/asio/ip/tcp.hpp>

#include "gateway/context.h"
#include "gateway/poller.h"

namespace sluice::gateway {

class Switchboard;

class Listener : public Pollable, public std::enable_shared_from_this<Listener> {
 public:
  // Listens from here on. Throws boost::system::system_error, with the address in its text, when it
  // cannot.
  Listener(Switchboard& board, const config::Address& address);

  // Registers with the poller.
  void start();
  void stop();
  // Goes on after a pause, ten times a second: out of descriptors, or as many callers as are
  // allowed. The kernel's queue holds the newcomers meanwhile.
  void resume();
  void on_ready(bool readable, bool writable, bool hung_up) override;

  // With the real port, where 0 was asked for.
  boost::asio::ip::tcp::endpoint local_endpoint() const { return acceptor_.local_endpoint(); }

 private:
  void accept_all();

  Switchboard& board_;
  Context& context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  Poller::Token token_ = 0;
  bool waiting_ = false;  // connections may be in the kernel's queue
};

}  // namespace sluice::gateway
