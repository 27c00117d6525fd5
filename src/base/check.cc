#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace sluice {

void invariant_broken(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, what);
  std::abort();
}

}  // namespace sluice
