#include "model_server/answer.h"

#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

TEST(Answer, ErrorIsTheProtocolsObject) {
  const Answer answer = error_answer(404, "unknown model \"x\"");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.body, R"({"error":"unknown model \"x\""})");
}

TEST(Answer, QuotingCopesWithBytesThatAreNoText) {
  EXPECT_EQ(quoted("a\nb"), R"("a\nb")");
  EXPECT_EQ(quoted("a\xff"), "\"a\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace sluice::model_server
