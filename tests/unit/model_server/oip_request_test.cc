#include "model_server/oip_request.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
std::vector<T> elements(const Tensor& tensor) {
  std::vector<T> values(tensor.data.size() / sizeof(T));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

InferRequest parse(std::string json) {
  return parse_infer_request({.bytes = std::move(json)});
}

// What the parser says of a body that it refuses; empty when it takes it.
std::string complaint(const InferBody& body) {
  try {
    parse_infer_request(body);
  } catch (const BadRequest& error) {
    return error.what();
  }
  return {};
}

std::string complaint_about_input(const std::string& members) {
  return complaint({.bytes = R"({"inputs":[{"name":"x",)" + members + "}]}"});
}

TEST(OipRequest, ReadsTensorsInJson) {
  const auto request = parse(R"({"id":"a","inputs":[
      {"name":"x","datatype":"FP32","shape":[2,2],"data":[1,2.5,-3,4e2]},
      {"name":"y","datatype":"INT64","shape":[2],"data":[-5,9007199254740993]},
      {"name":"z","datatype":"UINT8","shape":[1],"data":[255]}]})");
  EXPECT_EQ(request.id, "a");
  ASSERT_EQ(request.inputs.size(), 3);
  EXPECT_EQ(request.inputs[0].name, "x");
  EXPECT_THAT(request.inputs[0].shape, ElementsAre(2, 2));
  EXPECT_THAT(elements<float>(request.inputs[0]), ElementsAre(1, 2.5, -3, 400));
  EXPECT_THAT(elements<std::int64_t>(request.inputs[1]), ElementsAre(-5, 9007199254740993));
  EXPECT_THAT(elements<std::uint8_t>(request.inputs[2]), ElementsAre(255));
}

TEST(OipRequest, FlattensNestedData) {
  const auto request =
      parse(R"({"inputs":[{"name":"x","datatype":"INT32","shape":[2,2],"data":[[1,2],[3,4]]}]})");
  EXPECT_THAT(elements<std::int32_t>(request.inputs[0]), ElementsAre(1, 2, 3, 4));
}

TEST(OipRequest, ReadsBinaryTensorsInTheirOrder) {
  const std::string json =
      R"({"inputs":[
        {"name":"x","datatype":"FP32","shape":[2],"parameters":{"binary_data_size":8}},
        {"name":"y","datatype":"UINT8","shape":[1],"data":[7]},
        {"name":"z","datatype":"UINT8","shape":[3],"parameters":{"binary_data_size":3}}]})";
  const float values[] = {1.5F, -2};
  InferBody body{.bytes = json, .json_bytes = json.size()};
  body.bytes.append(reinterpret_cast<const char*>(values), sizeof(values)).append("abc");
  const auto request = parse_infer_request(body);
  EXPECT_THAT(elements<float>(request.inputs[0]), ElementsAre(1.5, -2));
  EXPECT_THAT(elements<std::uint8_t>(request.inputs[1]), ElementsAre(7));
  EXPECT_THAT(elements<char>(request.inputs[2]), ElementsAre('a', 'b', 'c'));
}

TEST(OipRequest, ReadsWhichOutputsAreWantedAndHow) {
  const auto request = parse(R"({"inputs":[],"parameters":{"binary_data_output":true},
      "outputs":[{"name":"a"},{"name":"b","parameters":{"binary_data":false}}]})");
  EXPECT_TRUE(request.binary_by_default);
  ASSERT_EQ(request.outputs.size(), 2);
  EXPECT_TRUE(request.outputs[0].binary);
  EXPECT_FALSE(request.outputs[1].binary);
}

TEST(OipRequest, RefusesWhatIsNoRequest) {
  EXPECT_THAT(complaint({.bytes = ""}), HasSubstr("no JSON"));
  EXPECT_THAT(complaint({.bytes = "{"}), HasSubstr("no JSON"));
  EXPECT_THAT(complaint({.bytes = "[]"}), HasSubstr("object"));
  EXPECT_THAT(complaint({.bytes = "{}"}), HasSubstr("\"inputs\" is missing"));
  EXPECT_THAT(complaint({.bytes = R"({"inputs":[1]})"}), HasSubstr("an input must be an object"));
  EXPECT_THAT(complaint({.bytes = R"({"inputs":[],"id":5})"}), HasSubstr("\"id\""));
  EXPECT_THAT(complaint({.bytes = std::string(5000, '[')}), HasSubstr("no JSON"));
}

TEST(OipRequest, RefusesTensorsThatContradictThemselves) {
  EXPECT_THAT(complaint_about_input(R"("datatype":"BYTES","shape":[1],"data":["a"])"),
              HasSubstr("inputs[0]: \"datatype\" BYTES"));
  EXPECT_THAT(complaint_about_input(R"("datatype":"FP32","shape":[-1],"data":[])"),
              HasSubstr("shape"));
  EXPECT_THAT(complaint_about_input(R"("datatype":"FP32","shape":[3],"data":[1,2])"),
              HasSubstr("fewer"));
  EXPECT_THAT(complaint_about_input(R"("datatype":"FP32","shape":[1],"data":[1,2])"),
              HasSubstr("more"));
  EXPECT_THAT(complaint_about_input(R"("datatype":"FP32","shape":[1],"data":[[[1]]])"),
              HasSubstr("nested"));
  EXPECT_THAT(complaint_about_input(R"("datatype":"UINT8","shape":[1],"data":[256])"),
              HasSubstr("cannot"));
  EXPECT_THAT(complaint_about_input(R"("datatype":"INT64","shape":[1],"data":[1.5])"),
              HasSubstr("cannot"));
  EXPECT_THAT(complaint_about_input(R"("datatype":"FP32","shape":[1],"data":[null])"),
              HasSubstr("cannot"));
  EXPECT_THAT(complaint_about_input(R"("datatype":"FP32","shape":[1])"), HasSubstr("\"data\""));
}

// A shape is a promise of memory: one beyond the body is refused before anything is reserved.
TEST(OipRequest, RefusesShapesBeyondTheBody) {
  EXPECT_THAT(
      complaint_about_input(
          R"("datatype":"FP32","shape":[4611686018427387904,4611686018427387904],"data":[])"),
      HasSubstr("more elements than the body can hold"));
}

TEST(OipRequest, RefusesBinaryTensorsThatDoNotFitTheBody) {
  const auto binary = [](std::size_t size, std::string raw) {
    std::string json = R"({"inputs":[{"name":"x","datatype":"UINT8","shape":[3],)"
                       R"("parameters":{"binary_data_size":)" +
                       std::to_string(size) + "}}]}";
    const std::size_t json_bytes = json.size();
    return complaint({.bytes = json + raw, .json_bytes = json_bytes});
  };
  EXPECT_EQ(binary(3, "abc"), "");
  EXPECT_THAT(binary(3, "ab"), HasSubstr("ends before"));
  EXPECT_THAT(binary(3, "abcd"), HasSubstr("left over"));
  EXPECT_THAT(binary(4, "abcd"), HasSubstr("\"binary_data_size\" is 4"));
  EXPECT_THAT(complaint({.bytes = "{}", .json_bytes = 3}), HasSubstr("larger than the body"));
}

TEST(OipRequest, FindsTheIdAlone) {
  const auto id_of = [](std::string bytes) {
    InferBody body{.bytes = std::move(bytes)};
    return parse_request_id(body);
  };
  EXPECT_EQ(id_of(R"({"inputs":[{"id":"inner"}],"id":"outer"})"), "outer");
  EXPECT_EQ(id_of(R"({"id":7})"), "");
  EXPECT_EQ(id_of("{}"), "");
  EXPECT_EQ(id_of(""), "");
  EXPECT_EQ(id_of(std::string("\0\xff garbage", 10)), "");
}

TEST(OipRequest, LooksForTheIdInTheJsonPartOnly) {
  InferBody body{.bytes = R"({"id":"a"})"
                          "raw bytes",
                 .json_bytes = 10};
  EXPECT_EQ(parse_request_id(body), "a");
}

}  // namespace
}  // namespace sluice::model_server
