// Invariants. A broken one is a bug of ours and ends the process, in release builds too: going
// on would answer somebody wrongly. Hostile input is never checked with this.
#pragma once

namespace sluice {

// Writes "file:line: invariant broken: what" to standard error and aborts.
[[noreturn]] void invariant_broken(const char* what, const char* file, int line);

// While it lives, a broken invariant of this thread also writes this line: how to get there again.
class InvariantNote {
 public:
  // Not copied: the line must outlive this.
  explicit InvariantNote(const char* line);
  ~InvariantNote();
  InvariantNote(const InvariantNote&) = delete;
  InvariantNote& operator=(const InvariantNote&) = delete;

 private:
  const char* before_;
};

}  // namespace sluice

#define SLUICE_CHECK(condition, what)                         \
  do {                                                        \
    if (!(condition)) [[unlikely]] {                          \
      ::sluice::invariant_broken((what), __FILE__, __LINE__); \
    }                                                         \
  } while (false)
