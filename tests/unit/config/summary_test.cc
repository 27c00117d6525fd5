#include "config/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Summary, ShowsAll27Cells) {
  const std::string text = summarise(read_with("priorities: [{realtime: low, priority: 9}]\n"));
  EXPECT_THAT(text, HasSubstr("  realtime  weight  vip  premium  basic\n"
                              "  high      light   0    1        2\n"));
  EXPECT_THAT(text, HasSubstr("  low       light   9    9        9\n"
                              "  low       medium  9    9        9\n"
                              "  low       heavy   9    9        9\n"));
}

TEST(Summary, ResolvesWhatTheFileLeavesOpen) {
  const std::string text =
      summarise(read_with("policy: {name: edf, binding: early-round-robin}\n"));
  EXPECT_THAT(text, HasSubstr("  detect  general    medium  medium    500ms   30ms      1\n"));
  EXPECT_THAT(text, HasSubstr("  127.0.0.1:8000  http://127.0.0.1:8000  plain  1      learnt   "
                              "ignored  learnt      0..9   detect\n"));
  EXPECT_THAT(text, HasSubstr("  default  basic  0              1       -         -     -          "
                              "  -             -        -\n"));
  EXPECT_THAT(text, HasSubstr("Policy edf\n  ordering      deadline\n"));
  EXPECT_THAT(text, HasSubstr("  binding       early-round-robin\n"));
  EXPECT_THAT(text, HasSubstr("  placement     finish-first\n"));
  EXPECT_THAT(text, HasSubstr("  idle timeout      75s\n"));
  EXPECT_THAT(text, HasSubstr("  at most 3 attempts at a request; 20% of all and 3/s, "
                              "at most 20 saved up\n"));
  EXPECT_THAT(text, HasSubstr("  failures in a row  5\n"
                              "  failures           50% of at least 20 within 10s\n"
                              "  slow in a row      10, 4 times as long as predicted\n"
                              "  open for           2s to 1min\n"));
}

TEST(Summary, SaysWhatReplicasTakeAndWhatNoneDoes) {
  const std::string text = summarise(
      parse_serve_config("models: [{name: a}, {name: b}]\n"
                         "replicas:\n"
                         "- {url: 'http://x:1', models: [a], class: high, standby: true}\n"
                         "- {url: 'http://x:2', models: [a, b], accepts: 2..8}\n",
                         "f.yaml"));
  EXPECT_THAT(text, HasSubstr("  learnt      0..2, standby  a\n"));
  EXPECT_THAT(text, HasSubstr("  learnt      2..8           a, b\n"
                              "  No replica takes a of priority 9: refused\n"
                              "  No replica takes b of priority 0, 1, 9: refused\n"));
}

TEST(Summary, SaysPathsAndWhoIsOnThem) {
  const std::string text =
      summarise(parse_serve_config("models: [{name: a}]\n"
                                   "paths: [hot, cold]\n"
                                   "replicas:\n"
                                   "- {url: 'http://x:1', models: [a]}\n"
                                   "- {url: 'http://x:2', models: [a], path: cold, class: high}\n",
                                   "f.yaml"));
  EXPECT_THAT(text, HasSubstr("  learnt      hot, 0..9   a\n"));
  EXPECT_THAT(text, HasSubstr("  learnt      cold, 0..2  a\n"));
  EXPECT_THAT(text, HasSubstr("Paths\n  in order       hot, cold\n"));
  EXPECT_THAT(text, HasSubstr("  back after     10s, 3 probes\n"));
}

// R18, R25
TEST(Summary, SaysWhichModelsComeAndGoAndWhatIsReserved) {
  EXPECT_THAT(summarise(read_with("")), HasSubstr("Models in memory\n  all, always\n"));
  const std::string text = summarise(
      parse_serve_config("models:\n"
                         "- {name: a, memory: 6GiB, reserved: 1GiB, warm_replicas: 2}\n"
                         "- {name: b, memory: 4GiB, warm_replicas: 0}\n"
                         "- {name: c, memory: 2GiB}\n"
                         "replicas:\n"
                         "- {url: 'http://x:1', models: [a, b, c], managed: [a, b], memory: 9GiB}\n"
                         "- {url: 'http://x:2', models: [c, a], managed: [c, a]}\n"
                         "- {url: 'http://x:3', models: [c]}\n",
                         "f.yaml"));
  EXPECT_THAT(text, HasSubstr("  replica  memory  free for any  reserved for  always loaded  "
                              "managed\n"
                              "  x:1      9GiB    6GiB          a 1GiB        c 2GiB         "
                              "a 6GiB, b 4GiB\n"
                              "  x:2      enough  -             a 1GiB        -              "
                              "c 2GiB, a 6GiB\n"));
  EXPECT_THAT(text, Not(HasSubstr("  x:3      ")));
  EXPECT_THAT(text, HasSubstr("  kept loaded      a on 2, c on 1\n"));
  EXPECT_THAT(text, HasSubstr("  unloads          for others, after 10s idle; "));
}

TEST(Summary, BudgetsFallBackToTheLane) {
  const std::string text = summarise(
      read_with("realtime_budgets: {medium: none}\nlanes: {latency: {budget: 1234ms}}\n"));
  EXPECT_THAT(text, HasSubstr("  detect  general    medium  medium    1234ms  30ms      1\n"));
}

TEST(Summary, SaysWhatIsOff) {
  const std::string text = summarise(
      read_with("retry: {attempts: 1}\n"
                "breaker: {consecutive_failures: 0, failure_share: none, slow_in_a_row: 0}\n"));
  EXPECT_THAT(text, HasSubstr("Retries\n  none\n"));
  EXPECT_THAT(text, HasSubstr("  failures in a row  any number\n"
                              "  failures           any share of"));
  EXPECT_THAT(text, HasSubstr("  slow in a row      any number, "));
}

}  // namespace
}  // namespace sluice::config
