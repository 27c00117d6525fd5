#include "model_server/timed_profile.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

using namespace std::chrono_literals;

constexpr int kDraws = 20'000;

TEST(TimedProfile, DrawsTheAskedMeanAndSpread) {
  TimedProfile profile({.mean = 5ms, .cv = 0.5}, 1);
  double sum = 0;
  double sum_of_squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double ms = to_ms(profile.draw().service);
    ASSERT_GT(ms, 0);
    sum += ms;
    sum_of_squares += ms * ms;
  }
  const double mean = sum / kDraws;
  const double deviation = std::sqrt(sum_of_squares / kDraws - mean * mean);
  EXPECT_NEAR(mean, 5, 0.1);  // five standard errors
  EXPECT_NEAR(deviation / mean, 0.5, 0.03);
}

TEST(TimedProfile, WithoutSpreadTakesTheMean) {
  TimedProfile profile({.mean = 3ms, .cv = 0}, 1);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(to_ms(profile.draw().service), 3, 1e-6);
}

TEST(TimedProfile, FailsTheAskedShare) {
  TimedProfile profile({.failure_rate = 0.1}, 1);
  int failures = 0;
  for (int i = 0; i < kDraws; ++i) failures += profile.draw().fails ? 1 : 0;
  EXPECT_NEAR(failures, 0.1 * kDraws, 220);  // five standard deviations
}

TEST(TimedProfile, SameSeedSameTimesWhateverTheFailureRate) {
  TimedProfile sound({.failure_rate = 0}, 7);
  TimedProfile faulty({.failure_rate = 0.5}, 7);
  TimedProfile other({.failure_rate = 0}, 8);
  int differ = 0;
  for (int i = 0; i < 100; ++i) {
    const Duration service = sound.draw().service;
    EXPECT_EQ(service, faulty.draw().service);
    differ += service != other.draw().service ? 1 : 0;
  }
  EXPECT_GT(differ, 90);
}

TEST(TimedProfile, AnswersTheSameBodyWithTheSameBytes) {
  const auto answer = [](std::string bytes) {
    InferBody body{.bytes = std::move(bytes)};
    return timed_answer("m", body).body;
  };
  EXPECT_EQ(answer("any bytes"), answer("any bytes"));
  EXPECT_NE(answer("any bytes"), answer("any bytez"));
  EXPECT_NE(answer(R"({"id":"r1"})").find(R"("id":"r1")"), std::string::npos);
}

}  // namespace
}  // namespace sluice::model_server
