// The model server: listens, keeps its connections, and stops in good order.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "model_server/options.h"
#include "model_server/service.h"
#include "model_server/session.h"

namespace sluice::model_server {

class Server {
 public:
  // Loads the models and listens. Throws std::runtime_error that says what is wrong and where.
  explicit Server(Options options);

  // "127.0.0.1:8000": with the port that was given by the system when 0 was asked for.
  std::string bound_address() const;
  std::uint16_t port() const;

  // Makes SIGTERM and SIGINT stop this server.
  void stop_on_signals();

  // Serves until stopped and every accepted request is answered, or the drain limit has passed.
  void run();

  // May be called from any thread: no new connection, no new request; run() returns soon.
  void stop();

 private:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

  boost::asio::awaitable<void, Executor> accept();
  void open(Socket socket);
  void close(Session* session);
  void drain();

  Options options_;
  boost::asio::io_context loop_{1};  // one thread runs it: nothing below needs a lock
  Service service_;
  Acceptor acceptor_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer timer_;  // a pause after a failed accept; later the drain limit
  std::unordered_set<Session*> sessions_;
};

}  // namespace sluice::model_server
