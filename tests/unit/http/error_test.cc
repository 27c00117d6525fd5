#include "http/error.h"

#include <set>

#include <gtest/gtest.h>

#include "http/write.h"

namespace sluice::http {
namespace {

TEST(Error, EachHasASentenceOfItsOwnAndAStatus) {
  std::set<std::string_view> texts;
  for (int i = 1; i < kErrorCount; ++i) {
    const auto error = static_cast<Error>(i);
    EXPECT_TRUE(text_of(error).ends_with('.')) << i;
    EXPECT_TRUE(texts.insert(text_of(error)).second) << i;
    EXPECT_FALSE(reason_phrase(status_for(error)).empty()) << i;
  }
  EXPECT_TRUE(text_of(Error::kNone).empty());
}

TEST(Error, Statuses) {
  EXPECT_EQ(status_for(Error::kBadRequestLine), 400);
  EXPECT_EQ(status_for(Error::kHeadTooLarge), 431);
  EXPECT_EQ(status_for(Error::kTooManyHeaders), 431);
  EXPECT_EQ(status_for(Error::kUnknownTransferEncoding), 501);
  EXPECT_EQ(status_for(Error::kBadTransferEncoding), 400);
  EXPECT_EQ(status_for(Error::kBadVersion), 505);
}

}  // namespace
}  // namespace sluice::http
