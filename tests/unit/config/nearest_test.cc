#include "config/nearest.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

TEST(Nearest, FindsWhatASlipWasMeantToBe) {
  const std::vector<std::string> keys{"name", "budget", "slots"};
  EXPECT_EQ(nearest("bugdet", keys), "budget");
  EXPECT_EQ(nearest("slot", keys), "slots");
  EXPECT_EQ(nearest("nme", keys), "name");
}

TEST(Nearest, GuessesNothingForAnotherWord) {
  const std::vector<std::string> keys{"name", "budget", "slots"};
  EXPECT_EQ(nearest("priority", keys), std::nullopt);
  EXPECT_EQ(nearest("", keys), std::nullopt);
  EXPECT_EQ(nearest(std::string(65, 'a'), {std::string(65, 'a')}), std::nullopt);
  EXPECT_EQ(nearest("name", {}), std::nullopt);
}

}  // namespace
}  // namespace sluice::config
