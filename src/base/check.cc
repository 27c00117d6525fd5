#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace sluice {
namespace {

thread_local const char* note = nullptr;

}  // namespace

void invariant_broken(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, what);
  if (note != nullptr) std::fprintf(stderr, "%s\n", note);
  std::abort();
}

InvariantNote::InvariantNote(const char* line) : before_(note) {
  note = line;
}

InvariantNote::~InvariantNote() {
  note = before_;
}

}  // namespace sluice
