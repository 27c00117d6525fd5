#include <chrono>

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(ListenSection, SaysWhereAndHowMuch) {
  const ServeConfig config = read_with(
      "listen: {http: '[::1]:0', admin: localhost:9}\n"
      "limits: {head: 8KiB, body: 1MiB, bodies_in_memory: 2MiB, connections: 1k,\n"
      "  head_timeout: 1s, body_timeout: 2s, idle_timeout: 3s, write_timeout: 4s,\n"
      "  connect_timeout: 5s, attempt_timeout: 6s, drain_timeout: 0}\n"
      "health: {path: /ready, interval: 2s, timeout: 200ms, healthy_after: 1, unhealthy_after: 5}\n"
      "overload_status: 429\n");
  EXPECT_EQ(format_address(config.http), "[::1]:0");
  EXPECT_EQ(format_address(config.admin), "localhost:9");
  EXPECT_EQ(config.limits.head_bytes, 8192U);
  EXPECT_EQ(config.limits.body_bytes, 1U << 20);
  EXPECT_EQ(config.limits.bodies_in_memory_bytes, 2U << 20);
  EXPECT_EQ(config.limits.connections, 1000U);
  EXPECT_EQ(config.limits.head_timeout, Duration(1s));
  EXPECT_EQ(config.limits.body_timeout, Duration(2s));
  EXPECT_EQ(config.limits.idle_timeout, Duration(3s));
  EXPECT_EQ(config.limits.write_timeout, Duration(4s));
  EXPECT_EQ(config.limits.connect_timeout, Duration(5s));
  EXPECT_EQ(config.limits.attempt_timeout, Duration(6s));
  EXPECT_EQ(config.limits.drain_timeout, Duration(0));
  EXPECT_EQ(config.health.path, "/ready");
  EXPECT_EQ(config.health.interval, Duration(2s));
  EXPECT_EQ(config.health.timeout, Duration(200ms));
  EXPECT_EQ(config.health.healthy_after, 1U);
  EXPECT_EQ(config.health.unhealthy_after, 5U);
  EXPECT_EQ(config.overload_status, 429);
}

TEST(ListenSection, RefusesWhatCannotWork) {
  EXPECT_EQ(error_with("listen: {http: 8080}\n"),
            "sluice.yaml:4: listen.http: \"8080\" is not an address; write HOST:PORT, like "
            "127.0.0.1:8080, [::1]:8080 or localhost:8080");
  EXPECT_EQ(error_with("limits:\n  body: 2GiB\n  bodies_in_memory: 1GiB\n"),
            "sluice.yaml:6: limits.bodies_in_memory: is smaller than body: a body of that size "
            "could never be read");
  EXPECT_EQ(error_with("limits: {head: 64}\n"),
            "sluice.yaml:4: limits.head: \"64\" is out of bounds; write 1KiB to 1MiB");
  EXPECT_EQ(error_with("overload_status: 200\n"),
            "sluice.yaml:4: overload_status: \"200\" is not one of 429, 503, 529");
}

}  // namespace
}  // namespace sluice::config
