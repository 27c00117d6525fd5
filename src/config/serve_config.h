// What `sluice serve` is told: the core's options and all that surrounds the core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "config/address.h"
#include "config/docs.h"
#include "core/options.h"

namespace sluice::config {

// What a caller may take of us. Every stage of a request has an end.
struct Limits {
  std::size_t head_bytes = std::size_t{16} << 10;
  std::uint64_t body_bytes = std::uint64_t{64} << 20;
  // Of all requests together; reserved before a body is read.
  std::uint64_t bodies_in_memory_bytes = std::uint64_t{1} << 30;
  std::uint32_t connections = 4096;
  Duration head_timeout = std::chrono::seconds(10);     // first byte of a head to its last
  Duration body_timeout = std::chrono::seconds(60);     // the whole body
  Duration idle_timeout = std::chrono::seconds(75);     // between two requests
  Duration write_timeout = std::chrono::seconds(60);    // a caller that takes nothing of its answer
  Duration connect_timeout = std::chrono::seconds(1);   // to a replica
  Duration attempt_timeout = std::chrono::seconds(60);  // dispatch to the answer's last byte
  Duration drain_timeout = std::chrono::seconds(30);    // after SIGTERM
};

// How the replica is told the remaining budget and the priority.
enum class ReplicaKind : std::uint8_t { kPlain, kTriton };

// Where a node of the core is reached; same order as core::Options::nodes.
struct ReplicaAddress {
  Address address;
  std::string path_prefix;  // before the request's own path; empty or "/something"
  ReplicaKind kind = ReplicaKind::kPlain;
};

struct HealthCheckOptions {
  // GET this; any 2xx passes. The default is the Open Inference Protocol's.
  std::string path = "/v2/health/ready";
  // From the start of one check to that of the next, ± 10 %; > 0.
  Duration interval = std::chrono::seconds(1);
  // For a whole check, connecting included; > 0.
  Duration timeout = std::chrono::seconds(1);
  // Checks in a row that bring a node back, or take it out; ≥ 1.
  std::uint32_t healthy_after = 2;
  std::uint32_t unhealthy_after = 3;
};

struct ServeConfig {
  core::Options core;
  Address http{"0.0.0.0", 8080};
  Address admin{"127.0.0.1", 9090};
  Limits limits;
  std::vector<ReplicaAddress> replicas;
  HealthCheckOptions health;
  // The status of refusals for overload and for want of a replica.
  int overload_status = 503;
};

// Reads and checks a file. Throws ConfigError, which names file, line, key and the allowed values.
ServeConfig load_serve_config(const std::string& path);
// The same for text at hand; errors call it by the name of `file`.
ServeConfig parse_serve_config(const std::string& text, std::string file);

// What such a file may contain.
Docs describe_serve_config();

}  // namespace sluice::config
