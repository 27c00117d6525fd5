#include "model_server/tensor.h"

#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

TEST(Tensor, NamesOfTypesReadBack) {
  for (const DataType type :
       {DataType::kUint8, DataType::kInt32, DataType::kInt64, DataType::kFp32}) {
    EXPECT_EQ(data_type_of(name_of(type)), type);
  }
  EXPECT_FALSE(data_type_of("BYTES"));
  EXPECT_FALSE(data_type_of(""));
}

TEST(Tensor, CountsElements) {
  EXPECT_EQ(element_count({}, 10), 1);
  EXPECT_EQ(element_count({2, 3}, 6), 6);
  EXPECT_EQ(element_count({2, 0, 3}, 6), 0);
}

TEST(Tensor, RefusesCountsBeyondTheLimitWithoutOverflowing) {
  EXPECT_FALSE(element_count({2, 3}, 5));
  EXPECT_FALSE(element_count({-1}, 5));
  EXPECT_FALSE(element_count({std::int64_t{1} << 62, 8}, std::size_t{1} << 40));
}

}  // namespace
}  // namespace sluice::model_server
