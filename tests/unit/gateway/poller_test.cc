#include "gateway/poller.h"

#include <memory>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/gateway/polled.h"

namespace sluice::gateway {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Edge = Told::Edge;

// Somebody who watches one end of a pair.
struct Watched {
  explicit Watched(Poller& poller) {
    SLUICE_CHECK(poller.add(pair.ours.get(), owner, token), "no room in the poller");
  }

  SocketPair pair;
  std::shared_ptr<Told> owner = std::make_shared<Told>();
  Poller::Token token = 0;
};

TEST(Poller, NothingWatchedNothingTold) {
  Poller poller;
  EXPECT_EQ(poller.wait(0ms), 0u);
  EXPECT_EQ(poller.wait(1ns), 0u);
  EXPECT_EQ(poller.wait(-1s), 0u);
}

TEST(Poller, FreshSocketIsWritableOnce) {
  Poller poller;
  Watched one(poller);
  EXPECT_EQ(poller.wait(0ms), 1u);
  EXPECT_THAT(one.owner->news(), ElementsAre(Edge{false, true, false}));
  EXPECT_EQ(poller.wait(0ms), 0u);
}

// Edges: what is not read is not told again, and what comes after it is.
TEST(Poller, BytesAreToldAsTheyCome) {
  Poller poller;
  Watched one(poller);
  poller.wait(0ms);
  one.owner->news();
  put(one.pair.theirs, "a");
  poller.wait(1s);
  EXPECT_THAT(one.owner->news(), ElementsAre(Edge{true, true, false}));
  EXPECT_EQ(poller.wait(0ms), 0u);
  put(one.pair.theirs, "b");
  poller.wait(1s);
  EXPECT_EQ(one.owner->news().size(), 1u);
}

TEST(Poller, HangUpShowsAsReadableAndWritable) {
  Poller poller;
  Watched closed(poller);
  Watched half_closed(poller);
  poller.wait(0ms);
  closed.owner->news();
  half_closed.owner->news();
  closed.pair.theirs.close();
  ::shutdown(half_closed.pair.theirs.get(), SHUT_WR);
  poller.wait(1s);
  EXPECT_THAT(closed.owner->news(), ElementsAre(Edge{true, true, true}));
  EXPECT_THAT(half_closed.owner->news(), ElementsAre(Edge{true, true, true}));
}

TEST(Poller, AgainIsToldInTheNextTurnWithoutAnEdgeAndWithoutWaiting) {
  Poller poller;
  Watched one(poller);
  poller.wait(0ms);
  one.owner->news();
  poller.again(one.token);
  poller.wait(1h);
  EXPECT_THAT(one.owner->news(), ElementsAre(Edge{false, false, false}));
  EXPECT_EQ(poller.wait(0ms), 0u);
  EXPECT_THAT(one.owner->news(), IsEmpty());
}

TEST(Poller, AgainWhileToldIsTheTurnAfter) {
  Poller poller;
  Watched one(poller);
  one.owner->then = [&] { poller.again(one.token); };
  for (int turn = 1; turn <= 5; ++turn) {
    poller.wait(1h);
    ASSERT_EQ(one.owner->edges.size(), static_cast<std::size_t>(turn));
  }
  poller.remove(one.token);
  poller.wait(0ms);
  EXPECT_EQ(one.owner->edges.size(), 5u);
}

// The owner may be the one that asks: it lives until the turn is over.
TEST(Poller, RemovedOwnerLivesUntilTheEndOfTheTurn) {
  Poller poller;
  auto one = std::make_optional<Watched>(poller);
  const std::weak_ptr<Told> owner = one->owner;
  const Poller::Token token = one->token;
  one->owner->then = [&] { poller.remove(token); };
  one->owner.reset();
  poller.wait(0ms);
  EXPECT_FALSE(owner.expired());
  poller.wait(0ms);
  EXPECT_TRUE(owner.expired());
}

TEST(Poller, OwnersAreKeptAlive) {
  std::weak_ptr<Told> owner;
  {
    Poller poller;
    Watched one(poller);
    owner = one.owner;
    one.owner.reset();
    poller.wait(0ms);
    EXPECT_FALSE(owner.expired());
  }
  EXPECT_TRUE(owner.expired());
}

TEST(Poller, RemovedIsNotToldOfWhatIsAlreadyKnown) {
  Poller poller;
  Watched a(poller);
  Watched b(poller);
  // Both are writable in the same turn; whoever is told first removes the other.
  a.owner->then = [&] { poller.remove(b.token); };
  b.owner->then = [&] { poller.remove(a.token); };
  poller.wait(0ms);
  EXPECT_EQ(a.owner->edges.size() + b.owner->edges.size(), 1u);
}

TEST(Poller, RemovedIsNotToldAgain) {
  Poller poller;
  Watched one(poller);
  poller.wait(0ms);
  one.owner->news();
  poller.again(one.token);
  poller.remove(one.token);
  poller.wait(0ms);
  EXPECT_THAT(one.owner->news(), IsEmpty());
}

// A token that was kept too long names nothing, although its place is used again.
TEST(Poller, StaleTokenNamesNothing) {
  Poller poller;
  Watched old(poller);
  poller.remove(old.token);
  Watched fresh(poller);
  EXPECT_NE(old.token, fresh.token);
  poller.remove(old.token);
  poller.again(old.token);
  poller.wait(0ms);
  EXPECT_EQ(fresh.owner->edges.size(), 1u);
  EXPECT_THAT(old.owner->edges, IsEmpty());
}

// The table grows while somebody is told.
TEST(Poller, MayBeAddedToWhileTelling) {
  Poller poller;
  Watched first(poller);
  std::vector<std::unique_ptr<Watched>> more;
  first.owner->then = [&] {
    while (more.size() < 100) more.push_back(std::make_unique<Watched>(poller));
  };
  poller.wait(0ms);
  poller.wait(0ms);
  for (const auto& one : more) EXPECT_EQ(one->owner->edges.size(), 1u);
}

TEST(Poller, MoreThanATurnTellsComesInTheNext) {
  Poller poller;
  std::vector<std::unique_ptr<Watched>> many;
  for (int i = 0; i < 300; ++i) many.push_back(std::make_unique<Watched>(poller));
  EXPECT_LT(poller.wait(0ms), 300u);
  poller.wait(0ms);
  for (const auto& one : many) EXPECT_EQ(one->owner->edges.size(), 1u);
}

TEST(Poller, WhatCannotBeWatchedIsNot) {
  Poller poller;
  Poller::Token token = 0;
  const auto owner = std::make_shared<Told>();
  EXPECT_FALSE(poller.add(-1, owner, token));
  EXPECT_EQ(owner.use_count(), 1);
  Watched one(poller);
  EXPECT_EQ(poller.wait(0ms), 1u);
}

}  // namespace
}  // namespace sluice::gateway
