#include "base/id.h"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Fruit = Index<struct FruitTag>;
using Stone = Index<struct StoneTag>;
using Seat = PoolId<struct SeatTag>;
using Bed = PoolId<struct BedTag>;

static_assert(!std::is_convertible_v<Fruit, Stone>);
static_assert(!std::is_convertible_v<Seat, Bed>);

TEST(Index, NothingIsNamedUnlessSaid) {
  EXPECT_FALSE(Fruit{}.valid());
  EXPECT_TRUE(Fruit{0}.valid());
}

TEST(Index, ComparesByPosition) {
  EXPECT_EQ(Fruit{3}, Fruit{3});
  EXPECT_LT(Fruit{2}, Fruit{3});
  EXPECT_LT(Fruit{3}, Fruit{});
}

TEST(PoolId, GenerationsOfOneSlotDiffer) {
  EXPECT_NE((Seat{1, 1}), (Seat{1, 2}));
  EXPECT_FALSE(Seat{}.valid());
}

TEST(PoolId, PackedIsOneNumberAndComesBack) {
  const Seat seat{0x89abcdef, 0x01234567};
  EXPECT_EQ(seat.packed(), 0x01234567'89abcdefu);
  EXPECT_EQ(Seat::unpack(seat.packed()), seat);
  // The first slot of a pool: generations start at 1.
  EXPECT_NE((Seat{0, 1}).packed(), 0u);
}

TEST(PoolId, HashTellsGenerationsApart) {
  std::unordered_set<Seat> seats;
  for (std::uint32_t slot = 0; slot < 10; ++slot) {
    for (std::uint32_t generation = 1; generation <= 10; ++generation) {
      seats.insert({slot, generation});
    }
  }
  EXPECT_EQ(seats.size(), 100u);
  EXPECT_TRUE(seats.contains({9, 10}));
  EXPECT_FALSE(seats.contains({9, 11}));
}

}  // namespace
}  // namespace sluice
