#include "load/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sluice::load {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

workload::RequestClass detect() {
  workload::RequestClass c;
  c.name = "detect";
  c.model = "detect";
  c.tenant = "acme";
  c.budget = std::chrono::milliseconds(80);
  c.input = workload::BytesInput{16};
  return c;
}

TEST(Message, BytesTravelAsOneBinaryTensor) {
  const InferBody body = bytes_body(16);
  const json head = json::parse(body.bytes.substr(0, body.json_bytes));
  EXPECT_EQ(head["inputs"].size(), 1u);
  EXPECT_EQ(head["inputs"][0]["datatype"], "UINT8");
  EXPECT_EQ(head["inputs"][0]["shape"], json({1, 16}));
  EXPECT_EQ(head["inputs"][0]["parameters"]["binary_data_size"], 16);
  EXPECT_EQ(head["parameters"]["binary_data_output"], true);
  EXPECT_EQ(body.bytes.size(), body.json_bytes + 16);
}

TEST(Message, ImagesTravelInTheShapeOfTheModel) {
  const InferBody body =
      image_body("data/images/line-upright.jpg",
                 {.files = {}, .tensor = "x", .width = 192, .height = 48, .normalisation = {}});
  const json head = json::parse(body.bytes.substr(0, body.json_bytes));
  EXPECT_EQ(head["inputs"][0]["name"], "x");
  EXPECT_EQ(head["inputs"][0]["datatype"], "FP32");
  EXPECT_EQ(head["inputs"][0]["shape"], json({1, 3, 48, 192}));
  EXPECT_EQ(body.bytes.size() - body.json_bytes, 4u * 3 * 48 * 192);
}

TEST(Message, CarriesTheLabelsOfItsClass) {
  auto c = detect();
  c.realtime = "high";
  c.priority = 2;
  const std::string message =
      infer_message(Target::parse("http://127.0.0.1:8080/edge"), c, bytes_body(16));
  EXPECT_THAT(message, StartsWith("POST /edge/v2/models/detect/infer HTTP/1.1\r\n"));
  EXPECT_THAT(message, HasSubstr("\r\nHost: 127.0.0.1:8080\r\n"));
  EXPECT_THAT(message, HasSubstr("\r\nx-sluice-tenant: acme\r\n"));
  EXPECT_THAT(message, HasSubstr("\r\nx-sluice-budget-ms: 80\r\n"));
  EXPECT_THAT(message, HasSubstr("\r\nx-sluice-realtime: high\r\n"));
  EXPECT_THAT(message, HasSubstr("\r\nx-sluice-priority: 2\r\n"));
}

TEST(Message, LeavesOutLabelsThatAreAbsent) {
  const std::string message =
      infer_message(Target::parse("http://127.0.0.1:8080"), detect(), bytes_body(16));
  EXPECT_THAT(message, Not(HasSubstr("x-sluice-realtime")));
  EXPECT_THAT(message, Not(HasSubstr("x-sluice-priority")));
}

TEST(Message, AClassHasOneMessageAFile) {
  auto c = detect();
  EXPECT_EQ(messages_of(Target::parse("http://h"), c).size(), 1u);
  c.input = workload::ImageInput{
      .files = {"data/images/line-upright.jpg", "data/images/line-upside-down.jpg"},
      .tensor = "x",
      .width = 192,
      .height = 48};
  const auto messages = messages_of(Target::parse("http://h"), c);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_NE(messages[0], messages[1]);
}

}  // namespace
}  // namespace sluice::load
