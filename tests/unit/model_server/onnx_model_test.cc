#include "model_server/onnx_model.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_server/oip_response.h"

namespace sluice::model_server {
namespace {

using ::testing::HasSubstr;

constexpr const char* kPath = ".deps/models/orientation.onnx";
constexpr std::size_t kElements = 3 * 48 * 192;

const OnnxModel& orientation() {
  static const OnnxModel model("orientation", kPath, 1);
  return model;
}

// A deterministic picture: stripes.
std::vector<float> pixels() {
  std::vector<float> values(kElements);
  for (std::size_t i = 0; i < kElements; ++i) values[i] = i % 7 < 3 ? -1.0F : 0.75F;
  return values;
}

// The same inference without anything of ours in between.
std::vector<float> direct_result() {
  Ort::Env env;
  Ort::Session session(env, kPath, Ort::SessionOptions());
  std::vector<float> values = pixels();
  const Shape shape{1, 3, 48, 192};
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  const auto input = Ort::Value::CreateTensor<float>(memory, values.data(), values.size(),
                                                     shape.data(), shape.size());
  const char* input_name = "x";
  const char* output_name = orientation().info().outputs[0].name.c_str();
  const auto outputs = session.Run(Ort::RunOptions(), &input_name, &input, 1, &output_name, 1);
  const float* first = outputs[0].GetTensorData<float>();
  return {first, first + outputs[0].GetTensorTypeAndShapeInfo().GetElementCount()};
}

InferBody binary_request(const std::string& members) {
  const std::vector<float> values = pixels();
  const std::size_t size = values.size() * sizeof(float);
  std::string json = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,3,48,192],)"
                     R"("parameters":{"binary_data_size":)" +
                     std::to_string(size) + "}}]" + members + "}";
  InferBody body{.bytes = json, .json_bytes = json.size()};
  body.bytes.append(reinterpret_cast<const char*>(values.data()), size);
  return body;
}

std::string complaint(const InferBody& body) {
  try {
    orientation().infer(body);
  } catch (const BadRequest& error) {
    return error.what();
  }
  return {};
}

TEST(OnnxModel, DescribesItself) {
  const ModelInfo& info = orientation().info();
  ASSERT_EQ(info.inputs.size(), 1);
  EXPECT_EQ(info.inputs[0].name, "x");
  EXPECT_EQ(info.inputs[0].type, DataType::kFp32);
  EXPECT_EQ(info.inputs[0].shape, (Shape{-1, 3, -1, -1}));
  ASSERT_EQ(info.outputs.size(), 1);
  EXPECT_EQ(info.outputs[0].shape, (Shape{-1, 2}));
}

TEST(OnnxModel, GivesWhatADirectCallGives) {
  const std::vector<float> expected = direct_result();
  const Answer answer =
      orientation().infer(binary_request(R"(,"parameters":{"binary_data_output":true})"));
  ASSERT_TRUE(answer.json_bytes);
  const std::string raw = answer.body.substr(*answer.json_bytes);
  ASSERT_EQ(raw.size(), expected.size() * sizeof(float));
  EXPECT_EQ(std::memcmp(raw.data(), expected.data(), raw.size()), 0);
}

TEST(OnnxModel, RefusesRequestsThatDoNotFit) {
  const auto with_input = [](const std::string& input) {
    return complaint({.bytes = R"({"inputs":[)" + input + "]}"});
  };
  EXPECT_THAT(with_input(""), HasSubstr("0 inputs, the model takes 1"));
  EXPECT_THAT(with_input(R"({"name":"y","datatype":"FP32","shape":[1],"data":[1]})"),
              HasSubstr("\"x\" is missing"));
  EXPECT_THAT(with_input(R"({"name":"x","datatype":"FP32","shape":[1],"data":[1]})"),
              HasSubstr("the model takes FP32 [-1,3,-1,-1]"));
  EXPECT_THAT(with_input(R"({"name":"x","datatype":"INT32","shape":[1,3,1,0],"data":[]})"),
              HasSubstr("INT32"));
  EXPECT_THAT(complaint(binary_request(R"(,"outputs":[{"name":"nope"}])")), HasSubstr("nope"));
}

// Its spec allows any height and width; its layers only multiples of 32.
TEST(OnnxModel, RefusesShapesThatItsLayersRefuse) {
  const OnnxModel detection("detection", ".deps/models/detection.onnx", 1);
  std::string json = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,3,37,41],)"
                     R"("parameters":{"binary_data_size":18204}}]})";
  InferBody body{.bytes = json + std::string(18204, '\0'), .json_bytes = json.size()};
  EXPECT_THROW(detection.infer(body), BadRequest);
}

}  // namespace
}  // namespace sluice::model_server
