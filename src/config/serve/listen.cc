#include <chrono>

#include "config/serve/sections.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kKiB = std::uint64_t{1} << 10;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

void read_sizes(Fields& f, Limits& out) {
  f.optional("head", bytes(kKiB, kMiB), out.head_bytes,
             "Request line and header fields; beyond: 431");
  f.optional("body", bytes(1, 4 * kGiB), out.body_bytes, "One request's body; beyond: 413");
  f.optional("bodies_in_memory", bytes(1, 1024 * kGiB), out.bodies_in_memory_bytes,
             "All bodies together, reserved before they are read");
  f.optional("connections", count(1, 1'000'000), out.connections,
             "Callers connected at once; further ones wait to be accepted");
  if (out.bodies_in_memory_bytes < out.body_bytes) {
    f.fail("bodies_in_memory", "is smaller than body: a body of that size could never be read");
  }
}

void read_timeouts(Fields& f, Limits& out) {
  const auto span = duration(1ms, 24h);
  f.optional("head_timeout", span, out.head_timeout, "First byte of a head to its last");
  f.optional("body_timeout", span, out.body_timeout, "The whole body");
  f.optional("idle_timeout", span, out.idle_timeout, "Between two requests of a connection");
  f.optional("write_timeout", span, out.write_timeout, "A caller that takes nothing of its answer");
  f.optional("connect_timeout", span, out.connect_timeout, "To connect to a replica");
  f.optional("attempt_timeout", span, out.attempt_timeout,
             "From sending a request to a replica to its answer's last byte");
  f.optional("drain_timeout", duration(0s, 24h), out.drain_timeout,
             "After SIGTERM, for what was accepted");
}

// The statuses that clients take for "come back later".
Kind<int> retry_status() {
  return {.name = "one of 429, 503, 529",
          .example = "",
          .bounds = "",
          .parse = [](std::string_view text) -> std::optional<int> {
            for (const int status : {429, 503, 529}) {
              if (text == std::to_string(status)) return status;
            }
            return std::nullopt;
          },
          .within = [](const int&) { return true; },
          .format = [](const int& status) { return std::to_string(status); }};
}

}  // namespace

void read_listen(Fields& root, ServeConfig& out) {
  root.map("listen", "Where Sluice listens; port 0 takes any free one", [&](Fields& f) {
    f.optional("http", address(), out.http, "For requests (Open Inference Protocol over HTTP/1.1)");
    f.optional("admin", address(), out.admin, "For /metrics, /healthz and /readyz");
  });
}

void read_limits(Fields& root, Limits& out) {
  root.map("limits", "What callers and replicas may take; every stage of a request has an end",
           [&](Fields& f) {
             read_sizes(f, out);
             read_timeouts(f, out);
           });
}

void read_health(Fields& root, HealthCheckOptions& out) {
  root.map("health", "How replicas are checked", [&](Fields& f) {
    f.optional("path", request_path(), out.path,
               "GET this, after the replica's prefix; any 2xx passes");
    f.optional("interval", duration(10ms, 1h), out.interval, "From one check to the next, ± 10 %");
    f.optional("timeout", duration(1ms, 1h), out.timeout, "For one check, connecting included");
    f.optional("healthy_after", count(1, 1000), out.healthy_after,
               "Passed checks in a row that bring a replica back");
    f.optional("unhealthy_after", count(1, 1000), out.unhealthy_after,
               "Failed checks in a row that take a replica out");
  });
}

void read_overload_status(Fields& root, int& out) {
  root.optional("overload_status", retry_status(), out,
                "Status of refusals for overload and for want of a replica");
}

}  // namespace sluice::config
