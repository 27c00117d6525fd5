#include "core/pool.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using SeatId = PoolId<struct SeatTag>;
using Seats = Pool<int, SeatId>;

TEST(Pool, AcquiredIsFoundByItsId) {
  Seats pool(2);
  const SeatId id = pool.acquire();
  ASSERT_NE(pool.find(id), nullptr);
  *pool.find(id) = 7;
  EXPECT_EQ(pool[id.slot], 7);
  EXPECT_EQ(pool.id_of(id.slot), id);
  EXPECT_EQ(pool.live_count(), 1u);
}

TEST(Pool, ReleasedIdNamesNothingEvenWhenItsSlotIsUsedAgain) {
  Seats pool(1);
  const SeatId first = pool.acquire();
  pool.release(first);
  EXPECT_EQ(pool.find(first), nullptr);
  const SeatId second = pool.acquire();
  EXPECT_EQ(second.slot, first.slot);
  EXPECT_NE(second.generation, first.generation);
  EXPECT_EQ(pool.find(first), nullptr);
  EXPECT_NE(pool.find(second), nullptr);
}

TEST(Pool, SlotThatIsUsedAgainBeginsAnew) {
  Seats pool(1);
  const SeatId first = pool.acquire();
  pool[first.slot] = 7;
  pool.release(first);
  EXPECT_EQ(pool[pool.acquire().slot], 0);
}

TEST(Pool, AnyBitPatternIsAValidQuestion) {
  Seats pool(4);
  const SeatId id = pool.acquire();
  EXPECT_EQ(pool.find(SeatId{}), nullptr);
  EXPECT_EQ(pool.find(SeatId::unpack(0)), nullptr);
  EXPECT_EQ(pool.find(SeatId{id.slot, id.generation + 1}), nullptr);
  EXPECT_EQ(pool.find(SeatId{id.slot + 1, id.generation}), nullptr);
}

TEST(Pool, PackedIdIsNeverZero) {
  Seats pool(1);
  for (int i = 0; i < 3; ++i) {
    const SeatId id = pool.acquire();
    EXPECT_NE(id.packed(), 0u);
    pool.release(id);
  }
}

TEST(Pool, AddressesStay) {
  Seats pool(1'000);
  int* const first = pool.find(pool.acquire());
  for (int i = 1; i < 1'000; ++i) pool.acquire();
  EXPECT_EQ(first, pool.find(pool.id_of(0)));
}

TEST(Pool, AliveTellsWhichSlotsAreInUse) {
  Seats pool(3);
  const SeatId a = pool.acquire();
  const SeatId b = pool.acquire();
  pool.release(a);
  EXPECT_EQ(pool.slot_count(), 2u);
  EXPECT_FALSE(pool.alive(a.slot));
  EXPECT_TRUE(pool.alive(b.slot));
  EXPECT_EQ(pool.live_count(), 1u);
}

TEST(PoolDeathTest, OverItsCapacityIsABrokenInvariant) {
  Seats pool(2);
  pool.acquire();
  pool.acquire();
  EXPECT_DEATH(pool.acquire(), "pool over its capacity");
}

TEST(PoolDeathTest, ReleasingTwiceIsABrokenInvariant) {
  Seats pool(2);
  const SeatId id = pool.acquire();
  pool.release(id);
  EXPECT_DEATH(pool.release(id), "released an id that is not alive");
}

}  // namespace
}  // namespace sluice::core
