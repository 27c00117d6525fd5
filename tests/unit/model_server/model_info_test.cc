#include "model_server/model_info.h"

#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

TEST(ModelInfo, MetadataNamesTensorsAndMemory) {
  const ModelInfo info{.name = "m",
                       .platform = "p",
                       .inputs = {{.name = "x", .type = DataType::kFp32, .shape = {-1, 3}}},
                       .outputs = {{.name = "y", .type = DataType::kInt64, .shape = {2}}},
                       .memory_bytes = 5};
  EXPECT_EQ(metadata_json(info), R"({"name":"m","versions":["1"],"platform":"p",)"
                                 R"("inputs":[{"name":"x","datatype":"FP32","shape":[-1,3]}],)"
                                 R"("outputs":[{"name":"y","datatype":"INT64","shape":[2]}],)"
                                 R"("parameters":{"memory_bytes":5}})");
}

}  // namespace
}  // namespace sluice::model_server
