#include "model_server/oip_response.h"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

template <class T>
Tensor tensor_of(std::string name, DataType type, Shape shape, const std::vector<T>& values) {
  Tensor tensor{.name = std::move(name), .type = type, .shape = std::move(shape)};
  tensor.data.resize(values.size() * sizeof(T));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

TEST(OipResponse, WritesJson) {
  const auto answer =
      infer_answer("m", "7",
                   {{tensor_of<float>("a", DataType::kFp32, {1, 2}, {0.1F, -2})},
                    {tensor_of<std::int64_t>("b", DataType::kInt64, {1}, {-9007199254740993})}});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, kJson);
  EXPECT_FALSE(answer.json_bytes);
  EXPECT_EQ(answer.body,
            R"({"model_name":"m","model_version":"1","id":"7","outputs":[)"
            R"({"name":"a","datatype":"FP32","shape":[1,2],"data":[0.1,-2]},)"
            R"({"name":"b","datatype":"INT64","shape":[1],"data":[-9007199254740993]}]})");
}

TEST(OipResponse, PutsBinaryOutputsBehindTheJson) {
  const auto answer =
      infer_answer("m", "",
                   {{tensor_of<std::uint8_t>("a", DataType::kUint8, {2}, {'x', 'y'}), true},
                    {tensor_of<std::uint8_t>("b", DataType::kUint8, {1}, {5}), false},
                    {tensor_of<std::uint8_t>("c", DataType::kUint8, {1}, {'z'}), true}});
  const std::string json =
      R"({"model_name":"m","model_version":"1","outputs":[)"
      R"({"name":"a","datatype":"UINT8","shape":[2],"parameters":{"binary_data_size":2}},)"
      R"({"name":"b","datatype":"UINT8","shape":[1],"data":[5]},)"
      R"({"name":"c","datatype":"UINT8","shape":[1],"parameters":{"binary_data_size":1}}]})";
  EXPECT_EQ(answer.body, json + "xyz");
  EXPECT_EQ(answer.json_bytes, json.size());
}

TEST(OipResponse, WritesWhatJsonHasNoNumberForAsNull) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto answer =
      infer_answer("m", "", {{tensor_of<float>("a", DataType::kFp32, {2}, {infinity, 1})}});
  EXPECT_NE(answer.body.find(R"("data":[null,1])"), std::string::npos) << answer.body;
}

}  // namespace
}  // namespace sluice::model_server
