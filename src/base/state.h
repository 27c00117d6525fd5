// What the state of a class is, said once: for whatever writes it down and reads it back.
#pragma once

// Inside a class, in its public part: all of its members in the order of their declaration, under
// any names. It is then written and read member by member (core/state/archive.h). Names and members
// are matched one by one, so with a member more or less it does not compile, and nobody can forget
// one.
//
// A class of which some members are no state (made from the options, references, scratch) writes
// the same function out, and gives the archive those that are.
#define SLUICE_STATE(...)                                 \
  template <class Self, class Archive>                    \
  static void visit_state(Self& self, Archive& archive) { \
    auto& [__VA_ARGS__] = self;                           \
    archive(__VA_ARGS__);                                 \
  }                                                       \
  static_assert(true, "takes the semicolon")
