#include "sim/progress.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

namespace sluice::sim {
namespace {

using std::chrono::seconds;

TEST(SimProgress, SaysHowFarHowFastAndHowLongStill) {
  EXPECT_EQ(progress_line({.simulated = seconds(120), .whole = seconds(600), .requests = 300'000},
                          std::chrono::milliseconds(500), seconds(1)),
            "120 of 600 s simulated, 300000 requests, 600k per CPU second, 4 s to go");
}

TEST(SimProgress, KnowsNothingAtTheStart) {
  EXPECT_EQ(progress_line({.simulated = {}, .whole = seconds(600), .requests = 0}, {}, {}),
            "0 of 600 s simulated, 0 requests, 0k per CPU second, 0 s to go");
}

TEST(SimProgress, AFileGetsAFewLinesOnly) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  ProgressPrinter printer(file.get(), "fifo, seed 1");
  for (int i = 0; i < 1000; ++i) printer.show({.simulated = seconds(i), .whole = seconds(1000)});
  printer.finish(5000);
  std::rewind(file.get());
  char text[256] = {};
  const std::size_t size = std::fread(text, 1, sizeof text - 1, file.get());
  const std::string said(text, size);
  EXPECT_EQ(said.rfind("fifo, seed 1: 5000 requests in ", 0), 0U) << said;
  EXPECT_EQ(said.find('\r'), std::string::npos);
}

}  // namespace
}  // namespace sluice::sim
