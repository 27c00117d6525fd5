#include "gateway/forward.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "gateway/route.h"
#include "http/write.h"

namespace sluice::gateway {
namespace {

bool own(std::string_view name) {
  constexpr std::string_view kOwn = "x-sluice-";
  return name.size() > kOwn.size() && (name[0] | 0x20) == 'x' &&
         http::same_word(name.substr(0, kOwn.size()), kOwn);
}

// Fields of a request that are said anew.
bool replaced(const http::Header& header) {
  if (header.field == http::Field::kHost || header.field == http::Field::kExpect ||
      header.field == http::Field::kContentLength) {
    return true;
  }
  if (!own(header.name)) return false;
  return http::same_word(header.name, "x-sluice-budget-ms") ||
         http::same_word(header.name, "x-sluice-deadline") ||
         http::same_word(header.name, "x-sluice-priority");
}

// Milliseconds with three digits after the point.
void append_ms(std::string& out, Duration d) {
  const auto us = std::max<std::int64_t>(d.count() / 1000, 0);
  fmt::format_to(std::back_inserter(out), "{}.{:03}", us / 1000, us % 1000);
}

}  // namespace

void append_request_head(std::string& out, const Request& request,
                         const config::ReplicaAddress& replica, std::string_view host,
                         const core::Dispatch& dispatch, std::string_view other_model,
                         TimePoint now) {
  out.append(request.head.method).append(" ").append(replica.path_prefix);
  if (other_model.empty()) {
    out.append(request.head.target);
  } else {
    append_target_of(out, other_model, request.head.target);
  }
  out.append(" HTTP/1.1\r\n");
  http::append_header(out, "host", host);
  for (const http::Header& header : request.head.all()) {
    if (!header.hop_by_hop && !replaced(header))
      http::append_header(out, header.name, header.value);
  }
  if (request.head.method == "POST" || !request.body.empty()) {
    http::append_header(out, "content-length", fmt::format_int(request.body.size()).c_str());
  }
  // What is left of the budget, not what the caller gave: time has passed here.
  const auto left_ms = std::max<std::int64_t>((dispatch.deadline - now).count() / 1'000'000, 0);
  http::append_header(out, "x-sluice-budget-ms", fmt::format_int(left_ms).c_str());
  const char priority = static_cast<char>('0' + dispatch.priority);
  http::append_header(out, "x-sluice-priority", {&priority, 1});
  out += "\r\n";
}

void append_answer_head(std::string& out, const http::ResponseHead& head) {
  out.append("HTTP/1.1 ").append(fmt::format_int(head.status).c_str());
  out.append(" ").append(head.reason).append("\r\n");
  for (const http::Header& header : head.all()) {
    // What carries our name is said by us alone.
    if (header.hop_by_hop || own(header.name)) continue;
    // It may not stand there (RFC 9110, 8.6), and a caller that minds it waits for a body.
    if (head.status == 204 && header.field == http::Field::kContentLength) continue;
    http::append_header(out, header.name, header.value);
  }
}

void append_task_headers(std::string& out, const core::Dispatch& dispatch, std::string_view replica,
                         std::string_view other_model, Duration queued, Duration served) {
  fmt::format_to(std::back_inserter(out), "x-sluice-task-id: {:016x}\r\n", dispatch.task.packed());
  http::append_header(out, "x-sluice-lane", to_string(dispatch.lane));
  http::append_header(out, "x-sluice-replica", replica);
  if (!other_model.empty()) http::append_header(out, "x-sluice-model", other_model);
  out += "server-timing: queue;dur=";
  append_ms(out, queued);
  out += ", service;dur=";
  append_ms(out, served);
  out += "\r\n";
}

}  // namespace sluice::gateway
