#include "gateway/roster.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::gateway {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr TimePoint kNow{1s};

// Says when it is told, and may do something about it.
class Member : public Timed {
 public:
  Member(Roster& roster, std::vector<int>& told, int name)
      : roster_(roster), told_(told), name_(name) {
    roster_.join(*this);
  }
  ~Member() override { leave(); }

  void leave() {
    if (std::exchange(joined_, false)) roster_.leave(*this);
  }
  void on_time_out() override {
    told_.push_back(name_);
    if (then) then();
  }
  void cut_off() override {
    told_.push_back(-name_);
    leave();
  }

  std::function<void()> then;

 private:
  Roster& roster_;
  std::vector<int>& told_;
  int name_;
  bool joined_ = true;
};

class RosterTest : public ::testing::Test {
 protected:
  // Members 1 to n, all with a limit at kNow.
  void gather(int n) {
    for (int name = 1; name <= n; ++name) {
      members_.push_back(std::make_unique<Member>(roster_, told_, name));
      members_.back()->limit(kNow);
    }
  }
  Member& member(int name) { return *members_[static_cast<std::size_t>(name - 1)]; }

  Roster roster_;
  std::vector<int> told_;
  std::vector<std::unique_ptr<Member>> members_;
};

TEST_F(RosterTest, TellsThoseWhoseLimitHasPassed) {
  gather(3);
  member(2).limit(kNow + 1ns);
  member(3).no_limit();
  roster_.sweep(kNow);
  EXPECT_THAT(told_, ElementsAre(1));
}

TEST_F(RosterTest, TellsOnceALimit) {
  gather(1);
  roster_.sweep(kNow);
  roster_.sweep(kNow + 1h);
  EXPECT_THAT(told_, ElementsAre(1));
  member(1).limit(kNow + 2h);
  roster_.sweep(kNow + 2h);
  EXPECT_THAT(told_, ElementsAre(1, 1));
}

TEST_F(RosterTest, LimitMayBeSetAnewWhileTold) {
  gather(1);
  member(1).then = [this] { member(1).limit(kNow + 5s); };
  roster_.sweep(kNow);
  roster_.sweep(kNow + 4s);
  EXPECT_THAT(told_, ElementsAre(1));
  roster_.sweep(kNow + 5s);
  EXPECT_THAT(told_, ElementsAre(1, 1));
}

TEST_F(RosterTest, ThoseWhoLeftAreNotTold) {
  gather(4);
  member(2).leave();
  member(4).leave();
  roster_.sweep(kNow);
  EXPECT_THAT(told_, UnorderedElementsAre(1, 3));
  EXPECT_EQ(roster_.members().size(), 2u);
}

TEST_F(RosterTest, EachIsToldOnceAlthoughAllLeaveMeanwhile) {
  gather(10);
  for (int name = 1; name <= 10; ++name) {
    member(name).then = [this, name] { member(name).leave(); };
  }
  roster_.sweep(kNow);
  EXPECT_THAT(told_, UnorderedElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_THAT(roster_.members(), IsEmpty());
}

// A caller that times out takes its replica connection with it, and the other way round.
TEST_F(RosterTest, MembersMayTakeOthersWithThem) {
  for (int who = 1; who <= 5; ++who) {
    for (int taken = 1; taken <= 5; ++taken) {
      told_.clear();
      members_.clear();
      gather(5);
      member(who).then = [&] { member(taken).leave(); };
      roster_.sweep(kNow);
      roster_.sweep(kNow);
      // Nobody twice, and all but, perhaps, the one that was taken.
      std::vector<int> others = told_;
      std::erase(others, taken);
      std::vector<int> wanted{1, 2, 3, 4, 5};
      std::erase(wanted, taken);
      EXPECT_THAT(others, ::testing::UnorderedElementsAreArray(wanted)) << who << ' ' << taken;
      EXPECT_LE(told_.size(), 5u);
    }
  }
}

TEST_F(RosterTest, MembersThatJoinMeanwhileWaitForTheNextSweep) {
  gather(2);
  member(1).then = [this] {
    if (members_.size() == 3) return;
    members_.push_back(std::make_unique<Member>(roster_, told_, 3));
    members_.back()->limit(kNow);
  };
  roster_.sweep(kNow);
  EXPECT_THAT(told_, ElementsAre(2, 1));
  roster_.sweep(kNow);
  EXPECT_THAT(told_, ElementsAre(2, 1, 3));
}

TEST_F(RosterTest, CutOffReachesEverybodyWhileTheyLeave) {
  gather(5);
  roster_.cut_off_all();
  EXPECT_THAT(told_, UnorderedElementsAre(-1, -2, -3, -4, -5));
  EXPECT_THAT(roster_.members(), IsEmpty());
}

}  // namespace
}  // namespace sluice::gateway
