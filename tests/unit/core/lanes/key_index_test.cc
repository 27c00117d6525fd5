#include "core/lanes/key_index.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "base/random.h"

namespace sluice::core {
namespace {

TEST(KeyIndexTest, FindsWhatWasInsertedAndNothingElse) {
  KeyIndex index;
  index.insert(1, 2, 7);
  EXPECT_EQ(index.find(1, 2), 7u);
  EXPECT_EQ(index.find(2, 1), KeyIndex::kNone);
  index.erase(1, 2);
  EXPECT_EQ(index.find(1, 2), KeyIndex::kNone);
}

TEST(KeyIndexTest, ExtremesAreKeysLikeOthers) {
  KeyIndex index;
  index.insert(0, 0, 1);
  index.insert(0xffffffff, 0xffffffff, 2);
  index.insert(0xffffffff, 0, 3);
  EXPECT_EQ(index.find(0, 0), 1u);
  EXPECT_EQ(index.find(0xffffffff, 0xffffffff), 2u);
  EXPECT_EQ(index.find(0xffffffff, 0), 3u);
}

// Against a map, in a small range of keys, so that chains form, are cut and close up again.
TEST(KeyIndexTest, BehavesAsAMapThroughManyComingsAndGoings) {
  KeyIndex index;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> model;
  Random random(7);
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const std::pair key(random.below(40), random.below(40));
    const auto known = model.find(key);
    if (known == model.end()) {
      ASSERT_EQ(index.find(key.first, key.second), KeyIndex::kNone);
      index.insert(key.first, key.second, i);
      model[key] = i;
    } else {
      ASSERT_EQ(index.find(key.first, key.second), known->second);
      index.erase(key.first, key.second);
      model.erase(known);
    }
    ASSERT_EQ(index.size(), model.size());
  }
}

}  // namespace
}  // namespace sluice::core
