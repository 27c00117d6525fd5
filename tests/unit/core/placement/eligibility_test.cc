#include "core/placement/eligibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ModelId kDetect{0};
constexpr ModelId kClassify{1};
constexpr ModelId kSummarise{2};
constexpr ModelId kNowhere{3};

// Node 0 and 2 have detect and classify, node 1 has all three, and nobody has the fourth.
Options three_nodes(Binding binding) {
  Options options;
  options.task_types = {"image"};
  options.models.resize(4, {.task_type = TaskTypeId{0}});
  options.nodes = {{.name = "a", .models = {kDetect, kClassify}},
                   {.name = "b", .models = {kSummarise, kClassify, kDetect}},
                   {.name = "c", .models = {kClassify, kDetect}}};
  options.policy.binding = binding;
  return options;
}

TEST(Eligibility, ModelsWithTheSameCandidatesShareAClass) {
  const Eligibility eligibility(three_nodes(Binding::kLate));
  EXPECT_EQ(eligibility.class_count(), 2u);
  EXPECT_EQ(eligibility.class_of(kDetect, 0), eligibility.class_of(kClassify, 0));
  EXPECT_NE(eligibility.class_of(kDetect, 0), eligibility.class_of(kSummarise, 0));
  EXPECT_THAT(eligibility.nodes(eligibility.class_of(kDetect, 0)),
              ElementsAre(NodeId{0}, NodeId{1}, NodeId{2}));
  EXPECT_THAT(eligibility.nodes(eligibility.class_of(kSummarise, 0)), ElementsAre(NodeId{1}));
}

TEST(Eligibility, NodesKnowTheirClasses) {
  const Eligibility eligibility(three_nodes(Binding::kLate));
  const ClassId both = eligibility.class_of(kDetect, 0);
  const ClassId heavy = eligibility.class_of(kSummarise, 0);
  EXPECT_THAT(eligibility.classes_of(NodeId{0}), ElementsAre(both));
  EXPECT_THAT(eligibility.classes_of(NodeId{1}), ::testing::UnorderedElementsAre(both, heavy));
}

TEST(Eligibility, ModelThatNoNodeHasHasNoClass) {
  const Eligibility eligibility(three_nodes(Binding::kLate));
  EXPECT_FALSE(eligibility.class_of(kNowhere, 0).valid());
  EXPECT_THAT(eligibility.candidates(kNowhere), IsEmpty());
}

TEST(Eligibility, EarlyBindingHasOneClassANode) {
  const Eligibility eligibility(three_nodes(Binding::kEarlyRoundRobin));
  ASSERT_EQ(eligibility.class_count(), 3u);
  for (std::uint32_t n = 0; n < 3; ++n) {
    const ClassId klass = eligibility.class_of(NodeId{n});
    EXPECT_THAT(eligibility.nodes(klass), ElementsAre(NodeId{n}));
    EXPECT_THAT(eligibility.classes_of(NodeId{n}), ElementsAre(klass));
  }
  EXPECT_THAT(eligibility.candidates(kDetect), ElementsAre(NodeId{0}, NodeId{1}, NodeId{2}));
}

TEST(Eligibility, ReplicasAreNumberedDenselyAndOnce) {
  const Eligibility eligibility(three_nodes(Binding::kLate));
  std::vector<bool> seen(eligibility.replica_count());
  EXPECT_EQ(seen.size(), 7u);
  for (std::uint32_t m = 0; m < 4; ++m) {
    for (const NodeId node : eligibility.candidates(ModelId{m})) {
      const std::uint32_t replica = eligibility.replica(ModelId{m}, node);
      ASSERT_LT(replica, seen.size());
      EXPECT_FALSE(seen[replica]);
      seen[replica] = true;
    }
  }
}

TEST(Eligibility, TheNumbersOfAWholeClassAreDense) {
  const Options options = three_nodes(Binding::kLate);
  const Eligibility eligibility(options);
  const ClassId klass = eligibility.class_of(kDetect, 0);
  const auto first = eligibility.first_replica(kDetect, klass);
  ASSERT_TRUE(first.has_value());
  const auto nodes = eligibility.nodes(klass);
  for (std::uint32_t position = 0; position < nodes.size(); ++position) {
    EXPECT_EQ(*first + position, eligibility.replica(kDetect, nodes[position]));
  }
}

TEST(Eligibility, NoOtherClassHasDenseNumbers) {
  const Options options = three_nodes(Binding::kEarlyRoundRobin);
  const Eligibility eligibility(options);
  for (std::uint32_t c = 0; c < eligibility.class_count(); ++c) {
    EXPECT_FALSE(eligibility.first_replica(kDetect, ClassId{c}).has_value());
  }
}

// R26: without a restriction there are no more classes than sets of nodes.
TEST(Eligibility, PrioritiesShareTheClassWhereNoNodeRestricts) {
  const Eligibility eligibility(three_nodes(Binding::kLate));
  for (Priority p = 1; p < kPriorities; ++p) {
    EXPECT_EQ(eligibility.class_of(kDetect, p), eligibility.class_of(kDetect, 0));
  }
  EXPECT_THAT(eligibility.classes_of(kDetect), ElementsAre(eligibility.class_of(kDetect, 0)));
}

TEST(Eligibility, NodesTakeThePrioritiesThatTheyAccept) {
  Options options = three_nodes(Binding::kLate);
  options.nodes[0].accepts = PriorityRange{0, 2};
  options.nodes[1].accepts = PriorityRange{2, 6};
  options.nodes[2].accepts = PriorityRange{2, 6};
  const Eligibility eligibility(options);
  const auto nodes_at = [&](Priority p) {
    return eligibility.nodes(eligibility.class_of(kDetect, p));
  };
  EXPECT_THAT(nodes_at(0), ElementsAre(NodeId{0}));
  EXPECT_THAT(nodes_at(2), ElementsAre(NodeId{0}, NodeId{1}, NodeId{2}));
  EXPECT_THAT(nodes_at(3), ElementsAre(NodeId{1}, NodeId{2}));
  EXPECT_FALSE(eligibility.class_of(kDetect, 7).valid());
  EXPECT_EQ(eligibility.class_of(kDetect, 3), eligibility.class_of(kDetect, 6));
  EXPECT_EQ(eligibility.class_of(kDetect, 3), eligibility.class_of(kClassify, 3));
  EXPECT_EQ(eligibility.classes_of(kDetect).size(), 3u);
  EXPECT_THAT(eligibility.candidates(kDetect), ElementsAre(NodeId{0}, NodeId{1}, NodeId{2}));
}

// A service class is a range by another name, and the range wins where both are given.
TEST(Eligibility, ServiceClassesAreRanges) {
  NodeOptions node;
  EXPECT_EQ(node.accepted(), (PriorityRange{0, 9}));
  node.service_class = Realtime::kHigh;
  EXPECT_EQ(node.accepted(), (PriorityRange{0, 2}));
  node.service_class = Realtime::kMedium;
  EXPECT_EQ(node.accepted(), (PriorityRange{3, 6}));
  node.service_class = Realtime::kLow;
  EXPECT_EQ(node.accepted(), (PriorityRange{7, 9}));
  node.accepts = PriorityRange{5, 9};
  EXPECT_EQ(node.accepted(), (PriorityRange{5, 9}));
}

TEST(Eligibility, AClassThatLeavesOutNodesHasNoDenseNumbers) {
  Options options = three_nodes(Binding::kLate);
  options.nodes[0].accepts = PriorityRange{0, 2};
  const Eligibility eligibility(options);
  EXPECT_TRUE(eligibility.first_replica(kClassify, eligibility.class_of(kClassify, 0)).has_value());
  EXPECT_FALSE(
      eligibility.first_replica(kClassify, eligibility.class_of(kClassify, 9)).has_value());
}

TEST(EligibilityDeathTest, WhatDoesNotExistIsABrokenInvariant) {
  Options twice = three_nodes(Binding::kLate);
  twice.nodes[0].models = {kDetect, kDetect};
  EXPECT_DEATH(Eligibility{twice}, "a node names a model twice");
  Options unknown = three_nodes(Binding::kLate);
  unknown.nodes[0].models = {ModelId{4}};
  EXPECT_DEATH(Eligibility{unknown}, "a node names a model that does not exist");
  const Eligibility eligibility(three_nodes(Binding::kLate));
  EXPECT_DEATH(eligibility.replica(kSummarise, NodeId{0}), "no replica of the model");
}

}  // namespace
}  // namespace sluice::core
