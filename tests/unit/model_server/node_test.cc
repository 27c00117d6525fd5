#include "model_server/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/post.hpp>

namespace sluice::model_server {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A node with one model that answers in no time and one that never does.
class NodeTest : public ::testing::Test {
 protected:
  NodeTest() : catalog_(options_, registry_), node_(loop_, options_, catalog_.has_onnx_models()) {}

  // Submits, remembering the status it ends with under `name`.
  JobPtr submit(const std::string& name, std::string_view model) {
    auto job = std::make_shared<Job>(loop_, *catalog_.find(model), InferBody{.bytes = name});
    job->on_answer = [this, name](const Answer& answer) {
      ended_.push_back(name + " " + std::to_string(answer.status));
    };
    if (!node_.submit(job)) ended_.push_back(name + " refused");
    return job;
  }

  std::string metrics() const { return metrics_text(registry_); }

  Options options_{.slots = 1,
                   .queue = 2,
                   .models = {{"quick", TimedOptions{.mean = 1us}},
                              {"endless", TimedOptions{.mean = 1h, .cv = 0}},
                              {"faulty", TimedOptions{.mean = 1us, .failure_rate = 1}}}};
  boost::asio::io_context loop_;
  prometheus::Registry registry_;
  Catalog catalog_;
  Node node_;
  std::vector<std::string> ended_;
};

TEST_F(NodeTest, AnswersInTheOrderOfArrival) {
  for (const char* name : {"a", "b", "c"}) submit(name, "quick");
  EXPECT_THAT(metrics(), HasSubstr(R"(pending_request_count{model="quick",version="1"} 2)"));
  loop_.run();
  EXPECT_THAT(ended_, ElementsAre("a 200", "b 200", "c 200"));
  EXPECT_THAT(metrics(), HasSubstr(R"(request_success{model="quick",version="1"} 3)"));
  EXPECT_THAT(metrics(), HasSubstr(R"(pending_request_count{model="quick",version="1"} 0)"));
}

TEST_F(NodeTest, RefusesBeyondTheQueue) {
  for (const char* name : {"a", "b", "c", "d"}) submit(name, "quick");
  EXPECT_THAT(ended_, ElementsAre("d refused"));
  loop_.run();
  EXPECT_THAT(ended_, ElementsAre("d refused", "a 200", "b 200", "c 200"));
  EXPECT_THAT(metrics(), HasSubstr(R"(reason="REJECTED",version="1"} 1)"));
}

TEST_F(NodeTest, DrawnFailuresAreAnswered500) {
  submit("a", "faulty");
  loop_.run();
  EXPECT_THAT(ended_, ElementsAre("a 500"));
  EXPECT_THAT(metrics(), HasSubstr(R"(failure{model="faulty",reason="BACKEND",version="1"} 1)"));
}

TEST_F(NodeTest, WhoLeavesTheLineIsNotRun) {
  submit("a", "quick");
  const JobPtr leaver = submit("b", "endless");
  submit("c", "quick");
  node_.abandon(leaver);
  EXPECT_THAT(ended_, ElementsAre("b 499"));
  EXPECT_THAT(metrics(), HasSubstr(R"(pending_request_count{model="endless",version="1"} 0)"));
  loop_.run();
  EXPECT_THAT(ended_, ElementsAre("b 499", "a 200", "c 200"));
  EXPECT_THAT(metrics(), HasSubstr(R"(failure{model="endless",reason="CANCELED",version="1"} 1)"));
}

TEST_F(NodeTest, WhoLeavesWhileRunningFreesTheSlotAtOnce) {
  const JobPtr leaver = submit("a", "endless");
  submit("b", "quick");
  node_.abandon(leaver);
  loop_.run();  // would take an hour
  EXPECT_THAT(ended_, ElementsAre("a 499", "b 200"));
  EXPECT_THAT(metrics(), HasSubstr(R"(request_success{model="endless",version="1"} 0)"));
}

TEST_F(NodeTest, WhoLeavesJustAsTheTimeIsUpGivesTheSlotBackOnce) {
  const JobPtr leaver = submit("a", "quick");
  submit("b", "quick");
  // The end of "a" is due before the loop hears of the leaving, which is posted behind it.
  while (Clock::now() < leaver->started + 1ms) continue;
  boost::asio::post(loop_, [&] { node_.abandon(leaver); });
  loop_.run();
  submit("c", "quick");
  submit("d", "quick");
  loop_.restart();
  loop_.run();
  EXPECT_THAT(ended_, ElementsAre("a 499", "b 200", "c 200", "d 200"));
}

// A model in a file computes on another thread; its answer still comes from the loop.
TEST(NodeWithOnnxModel, KeepsTheSlotOfAnAbandonedJobUntilItIsThrough) {
  const Options options{.slots = 1,
                        .queue = 1,
                        .models = {{"real", OnnxOptions{".deps/models/orientation.onnx"}},
                                   {"quick", TimedOptions{.mean = 1us}}}};
  boost::asio::io_context loop;
  prometheus::Registry registry;
  Catalog catalog(options, registry);
  Node node(loop, options, catalog.has_onnx_models());
  std::vector<int> statuses;
  const auto submit = [&](std::string_view model) {
    auto job = std::make_shared<Job>(loop, *catalog.find(model), InferBody{.bytes = "no JSON"});
    job->on_answer = [&](const Answer& answer) { statuses.push_back(answer.status); };
    EXPECT_TRUE(node.submit(job));
    return job;
  };
  const JobPtr leaver = submit("real");
  submit("quick");
  node.abandon(leaver);
  EXPECT_THAT(statuses, ElementsAre(499));
  loop.run();
  EXPECT_THAT(statuses, ElementsAre(499, 200));
  submit("real");
  loop.restart();
  loop.run();
  EXPECT_THAT(statuses, ElementsAre(499, 200, 400));
}

}  // namespace
}  // namespace sluice::model_server
