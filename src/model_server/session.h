// One connection: requests read one after another, each answered before the next is read.
#pragma once

#include <memory>
#include <optional>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "model_server/node.h"
#include "model_server/service.h"

namespace sluice::model_server {

using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Socket socket, Service& service, boost::asio::io_context& loop, const Options& options);

  // Until the caller leaves, errs or the service drains. The session must stay alive meanwhile.
  boost::asio::awaitable<void, Executor> run();

  // Closes the connection if no request has begun on it; else the running one is the last.
  void drain();
  // Ends what runs for this caller and closes the connection.
  void cut();

 private:
  using Stream = boost::beast::basic_stream<boost::asio::ip::tcp, Executor>;
  template <class T>
  using Task = boost::asio::awaitable<T, Executor>;

  // The next request, whole, is in parser_. False: there is none, the connection is over.
  Task<bool> read_request();
  Task<bool> answer_bad_read(boost::system::error_code error);
  Task<Answer> answer_request();
  Task<Answer> infer(const Route& route);
  Task<Answer> change(const Route& route);
  Task<bool> write(const Answer& answer, bool keep_alive);

  // Notices the caller's leaving while job_ is in the node's hands.
  void watch();
  void on_readable();

  Stream stream_;
  Service& service_;
  boost::asio::io_context& loop_;
  const Options& options_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  JobPtr job_;
  bool idle_ = true;       // no byte of a request has come
  bool watching_ = false;  // a wait for readability is pending; it may outlive the job
};

}  // namespace sluice::model_server
