#include "sim/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "sim/scenario_file.h"

namespace sluice::sim {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr const char* kHeading =
    "policy,seed,id,arrival_s,stream,model,priority,tenant,outcome,reason,node,latency_ms,"
    "wait_ms\n";

std::string content(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

class SimTrace : public testing::Test {
 protected:
  const Scenario scenario_ = load_scenario("scenarios/c-two-tenants.yaml");
  const std::string path_ = testing::TempDir() + "/sluice_trace_test.csv";
};

TEST_F(SimTrace, WritesALineARequest) {
  Trace trace(path_, scenario_);
  trace.begin_run("sluice", 7);
  Ended ended{.at = TimePoint(microseconds(1'500'250)), .latency = microseconds(12'345)};
  ended.waited = milliseconds(2);
  ended.reason = core::Reason::kNone;
  ended.model = 1;
  ended.tenant = 2;
  ended.level = 4;
  ended.number = 33;
  ended.node = 4;
  ended.phase = 3;  // the basic stream's second
  trace.record(ended);
  trace.close();
  EXPECT_EQ(content(path_), std::string(kHeading) +
                                "sluice,7,33,1.500250,basic,speech,4,basic,completed,none,edge-1,"
                                "12.345,2.000\n");
}

TEST_F(SimTrace, LeavesEmptyWhatIsNotKnown) {
  Trace trace(path_, scenario_);
  trace.begin_run("fifo", 1);
  Ended ended{.at = TimePoint{}, .latency = milliseconds(5), .outcome = core::Outcome::kFailed};
  trace.record(ended);
  trace.close();
  EXPECT_EQ(content(path_), std::string(kHeading) +
                                "fifo,1,0,0.000000,vip,detect,9,vip,failed,unanswered,,5.000,\n");
}

TEST_F(SimTrace, KeepsAllOfManyLines) {
  Trace trace(path_, scenario_);
  trace.begin_run("fifo", 1);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    Ended ended{.at = TimePoint(milliseconds(i))};
    ended.number = i;
    trace.record(ended);
  }
  trace.close();
  const std::string text = content(path_);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10'001);
  EXPECT_NE(text.find("\nfifo,1,9999,9.999000,"), std::string::npos);
}

TEST_F(SimTrace, SaysThatAFileCannotBeWritten) {
  EXPECT_THROW(Trace("/nowhere/at/all.csv", scenario_), std::runtime_error);
  Trace full("/dev/full", scenario_);
  full.begin_run("fifo", 1);
  EXPECT_THROW(full.close(), std::runtime_error);
}

}  // namespace
}  // namespace sluice::sim
