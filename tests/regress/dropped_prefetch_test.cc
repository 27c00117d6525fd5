// GCC takes a function that does nothing but prefetch for one without effect, and drops the calls
// to it: most prefetches of the scheduler were not in its code, and nobody had noticed.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "base/prefetch.h"

namespace sluice {
namespace {

struct Far {
  std::array<char, 64> bytes;
};

[[gnu::noinline]] void asks_for(const Far& far) {
  prefetch(far);
}

[[gnu::noinline]] void calls(const Far* far) {
  asks_for(*far);
}

TEST(DroppedPrefetch, ACallToAFunctionThatOnlyPrefetchesIsKept) {
#if defined(__x86_64__)
  constexpr std::array<unsigned char, 4> kBranchTarget{0xf3, 0x0f, 0x1e, 0xfa};
  constexpr unsigned char kReturn = 0xc3;
  std::array<unsigned char, 5> code{};
  void (*const function)(const Far*) = &calls;
  std::memcpy(code.data(), reinterpret_cast<const void*>(function), code.size());
  const bool marked = std::memcmp(code.data(), kBranchTarget.data(), kBranchTarget.size()) == 0;
  EXPECT_NE(code[marked ? 4 : 0], kReturn) << "the function is empty";
#else
  GTEST_SKIP() << "reads x86-64 code";
#endif
  Far far{};
  calls(&far);
}

}  // namespace
}  // namespace sluice
