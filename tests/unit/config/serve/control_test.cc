#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(ControlSection, ReadsTheKnobs) {
  const auto core =
      read_with(
          "control: {shortest_period: 20ms, corrections: {most_steps: 1, latency: {enter: 2}}, "
          "lane_weights: {starved_after: 5s, boost_share: 20%}, reserve: {most_share: 30%}, "
          "preemption: {most: 3}, promotion: {after: 7s, most_share: 10%}}\n")
          .core;
  EXPECT_EQ(core.control.period.shortest, 20ms);
  EXPECT_EQ(core.control.corrections.most_steps, 1);
  EXPECT_EQ(core.control.corrections.latency.enter, 2);
  EXPECT_EQ(core.control.lane_weights.oldest_wait[2], 5s);
  EXPECT_EQ(core.control.lane_weights.boost_share, 0.2);
  EXPECT_EQ(core.control.reserve.most_share, 0.3);
  EXPECT_EQ(core.preemption.most, 3u);
  EXPECT_EQ(core.promotion.after, 7s);
  EXPECT_EQ(core.promotion.most_share, 0.1);
}

TEST(ControlSection, RefusesBandsAndPeriodsThatAreUpsideDown) {
  EXPECT_EQ(error_with("control: {corrections: {drops: {enter: 1%}}}\n"),
            "sluice.yaml:4: control.corrections.drops.leave: must be below enter");
  EXPECT_EQ(error_with("control: {longest_period: 5ms}\n"),
            "sluice.yaml:4: control.longest_period: must not be below shortest_period");
}

TEST(ControlSection, ReadsHowLanesGiveWay) {
  const auto ramps =
      read_with("control: {limiter: {low: {from: 0.5, to: 0.9, floor: 5%}, latency: {to: 3}}}\n")
          .core.control.limiter.ramps;
  EXPECT_EQ(ramps[2].from, 0.5);
  EXPECT_EQ(ramps[2].to, 0.9);
  EXPECT_EQ(ramps[2].floor, 0.05);
  EXPECT_EQ(ramps[1].from, 1.25);
  EXPECT_EQ(ramps[1].to, 3);
  EXPECT_EQ(error_with("control: {limiter: {low: {from: 2}}}\n"),
            "sluice.yaml:4: control.limiter.low.to: must be above from");
}

TEST(LanesSection, ReadsWhatAFullLaneDoes) {
  const auto core = read_with(
                        "lanes: {low: {saturation: degrade, degrade_from: 80%}, high: "
                        "{saturation: shed}}\n")
                        .core;
  EXPECT_EQ(core.lanes[0].saturation, core::Saturation::kShed);
  EXPECT_EQ(core.lanes[1].saturation, core::Saturation::kReject);
  EXPECT_EQ(core.lanes[2].saturation, core::Saturation::kDegrade);
  EXPECT_EQ(core.lanes[2].degrade_from, 0.8);
}

TEST(ModelsSection, DegradesToAnotherModelOfTheFile) {
  const std::string replicas = "replicas: [{url: 'http://127.0.0.1:1', models: [large, small]}]\n";
  const auto core =
      parse_serve_config("models: [{name: large, degrade_to: small}, {name: small}]\n" + replicas,
                         "f")
          .core;
  EXPECT_EQ(core.models[0].degrade_to, core::ModelId{1});
  EXPECT_FALSE(core.models[1].degrade_to);
  EXPECT_EQ(error_of("models: [{name: large, degrade_to: large}, {name: small}]\n" + replicas),
            "sluice.yaml:1: models: large: degrade_to names no other model: large");
}

}  // namespace
}  // namespace sluice::config
