// What fits into the memory of a node.
#include "core/placement/device_memory.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

TEST(DeviceMemory, HoldsWhatFits) {
  DeviceMemory memory(10);
  const Footprint six{.memory = 6};
  const Footprint five{.memory = 5};
  EXPECT_TRUE(memory.fits_after(six, 0));
  memory.claim(six);
  memory.take(six);
  EXPECT_FALSE(memory.fits_now(five));
  EXPECT_FALSE(memory.fits_after(five, 0));
  EXPECT_TRUE(memory.fits_after(five, 6));
  EXPECT_EQ(memory.room(), 4u);
}

// Promised before it is free: room is claimed when the other is told to go, and taken when it has.
TEST(DeviceMemory, RoomIsPromisedBeforeItIsFree) {
  DeviceMemory memory(10);
  const Footprint six{.memory = 6};
  const Footprint five{.memory = 5};
  memory.claim(six);
  memory.take(six);
  memory.unclaim(six);
  EXPECT_TRUE(memory.fits_after(five, 0));
  EXPECT_FALSE(memory.fits_now(five));
  memory.free(six);
  EXPECT_TRUE(memory.fits_now(five));
}

TEST(DeviceMemory, WhatIsReservedIsNotGivenToOthers) {
  DeviceMemory memory(10);
  const Footprint guarded{.memory = 4, .reserved = 4};
  memory.host(guarded);
  EXPECT_FALSE(memory.fits_after({.memory = 7}, 0));
  EXPECT_TRUE(memory.fits_after({.memory = 6}, 0));
  EXPECT_TRUE(memory.fits_after(guarded, 0));
  memory.claim({.memory = 6});
  EXPECT_TRUE(memory.fits_after(guarded, 0));
  memory.claim(guarded);
  EXPECT_EQ(memory.claimed(), 10u);
  EXPECT_EQ(guarded.gain(), 0u);
}

TEST(DeviceMemory, ReservesOnlyAPart) {
  const Footprint half{.memory = 4, .reserved = 3};
  EXPECT_EQ(half.gain(), 1u);
  EXPECT_EQ(half.held(true), 4u);
  EXPECT_EQ(half.held(false), 3u);
  const Footprint more{.memory = 4, .reserved = 6};
  EXPECT_EQ(more.gain(), 0u);
  EXPECT_EQ(more.held(true), 6u);
}

TEST(DeviceMemory, UnlimitedHoldsEverything) {
  DeviceMemory memory(std::nullopt);
  const Footprint large{.memory = std::uint64_t{1} << 62};
  memory.claim(large);
  memory.take(large);
  EXPECT_TRUE(memory.fits_after(large, 0));
  EXPECT_TRUE(memory.fits_now(large));
}

// A node may report what nobody asked it to load.
TEST(DeviceMemory, OverfullHasNoRoom) {
  DeviceMemory memory(10);
  memory.claim({.memory = 12});
  memory.take({.memory = 12});
  EXPECT_EQ(memory.room(), 0u);
  EXPECT_FALSE(memory.fits_after({.memory = 1}, 0));
  EXPECT_FALSE(memory.fits_now({.memory = 0}));
}

}  // namespace
}  // namespace sluice::core
