#include "model_server/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

using ::testing::HasSubstr;

class ServiceTest : public ::testing::Test {
 protected:
  Answer describe(std::string_view target) { return service_.describe(route_of(target)); }

  boost::asio::io_context loop_;
  Service service_{loop_, {.models = {{"m", TimedOptions{}}}}};
};

TEST_F(ServiceTest, DescribesServerModelsAndMetrics) {
  EXPECT_THAT(describe("/v2").body, HasSubstr("binary_tensor_data"));
  EXPECT_THAT(describe("/v2/repository/index").body, HasSubstr(R"("name":"m")"));
  EXPECT_THAT(describe("/v2/models/m/versions/1").body, HasSubstr(R"("versions":["1"])"));
  EXPECT_EQ(describe("/v2/models/m/ready").status, 200);
  EXPECT_THAT(describe("/metrics").body, HasSubstr("nv_inference_request_success"));
}

TEST_F(ServiceTest, UnknownNamesAre404) {
  EXPECT_EQ(describe("/v3").status, 404);
  EXPECT_EQ(describe("/v2/models/n").body, R"({"error":"unknown model \"n\""})");
  EXPECT_THAT(describe("/v2/models/m/versions/2/ready").body, HasSubstr("version"));
  EXPECT_EQ(describe("/v2/models/m/versions/2/ready").status, 404);
}

TEST_F(ServiceTest, AModelThatIsNotLoadedIsNotReady) {
  service_.loader().unload(*service_.model_of(route_of("/v2/models/m")));
  EXPECT_EQ(describe("/v2/models/m/ready").status, 503);
  EXPECT_EQ(describe("/v2/models/m").status, 200);
  EXPECT_EQ(describe("/v2/health/ready").status, 200);
  EXPECT_EQ(describe("/v2/repository/models/m/load").status, 405);
}

TEST_F(ServiceTest, IsLiveButNotReadyWhileItDrains) {
  EXPECT_EQ(describe("/v2/health/ready").status, 200);
  service_.drain();
  EXPECT_EQ(describe("/v2/health/ready").status, 503);
  EXPECT_EQ(describe("/v2/health/live").status, 200);
}

}  // namespace
}  // namespace sluice::model_server
