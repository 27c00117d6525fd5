#include "model_server/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(ModelMetrics, ArePublishedUnderTritonsNames) {
  prometheus::Registry registry;
  ModelMetrics metrics(registry, "m");
  ModelMetrics other(registry, "n");
  metrics.succeeded(1ms, 2ms, 3ms);
  metrics.failed(Failure::kRejected);
  metrics.waits();
  metrics.waits();
  metrics.waits_no_more();
  metrics.load_asked();
  const std::string text = metrics_text(registry);
  for (const char* line :
       {R"(nv_inference_request_success{model="m",version="1"} 1)",
        R"(nv_inference_request_success{model="n",version="1"} 0)",
        R"(nv_inference_request_failure{model="m",reason="REJECTED",version="1"} 1)",
        R"(nv_inference_request_failure{model="m",reason="BACKEND",version="1"} 0)",
        R"(nv_inference_pending_request_count{model="m",version="1"} 1)",
        R"(nv_inference_queue_duration_us{model="m",version="1"} 1000)",
        R"(nv_inference_compute_infer_duration_us{model="m",version="1"} 2000)",
        R"(sluice_repository_requests_total{model="m",verb="load",version="1"} 1)",
        R"(sluice_repository_requests_total{model="m",verb="unload",version="1"} 0)",
        R"(nv_inference_request_duration_us{model="m",version="1"} 3000)"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace sluice::model_server
