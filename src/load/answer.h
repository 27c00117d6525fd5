// What an answer says about the request, and the parser that keeps only that.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/field.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace sluice::load {

struct Answer {
  unsigned status = 0;
  std::string lane;                // x-sluice-lane, empty when absent
  std::string replica;             // x-sluice-replica, empty when absent
  std::string reason;              // of a problem document, empty when absent
  std::optional<Duration> queued;  // Server-Timing: queue
  bool keep_alive = false;
};

// How a request ended, in the names of the report.
struct Ending {
  std::string_view outcome;
  std::string reason;
};

// 2xx is completed; a problem's reason decides between refused, expired and failed, and where
// there is none the status does (429 and 503: refused).
Ending ending_of(const Answer& answer);

// The duration of `metric` in a Server-Timing header ("queue;dur=1.5, service;dur=20"), which is
// in milliseconds; nullopt when it is not there or no number.
std::optional<Duration> server_timing(std::string_view header, std::string_view metric);

// Parses one HTTP/1.1 answer of at most 64 MiB. Builds no message: tensors are dropped as they
// come, and of a problem document the first 4 KiB are kept.
class AnswerParser : public boost::beast::http::basic_parser<false> {
 public:
  AnswerParser();

  // Once is_done().
  Answer take();

 private:
  using error_code = boost::beast::error_code;
  using string_view = boost::beast::string_view;
  using field = boost::beast::http::field;

  void on_request_impl(boost::beast::http::verb, string_view, string_view, int,
                       error_code&) override {}
  void on_response_impl(int status, string_view, int, error_code&) override;
  void on_field_impl(field name, string_view text, string_view value, error_code&) override;
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override {}
  std::size_t on_body_impl(string_view body, error_code&) override;
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override;
  void on_finish_impl(error_code&) override {}

  Answer answer_;
  bool is_problem_ = false;
  std::string problem_;
};

}  // namespace sluice::load
