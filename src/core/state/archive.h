// How values, containers and classes are written down and read back: said once for both directions,
// so that a reader cannot differ from its writer.
//
// An archive is a Writer or a Reader (writer.h, reader.h). It is called with values:
//   archive(a, b, c);   // writes them, or gives them the values that were written
// Values have a fixed width and are little-endian, doubles are their bits, containers are their
// length and their elements, classes are what their visit_state() lists (base/state.h). So the same
// state is the same bytes on any machine.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/id.h"

namespace sluice::core::state {

// What a type is written as. This one is for numbers and enumerations, and for classes that say of
// what they are made. `Value` is const for writers.
template <class T>
struct As {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      archive.scalar(value);
    } else {
      T::visit_state(value, archive);
    }
  }
};

template <class Rep, class Period>
struct As<std::chrono::duration<Rep, Period>> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& value) {
    Rep count = value.count();
    archive(count);
    if constexpr (Archive::kReads) value = Value(count);
  }
};

template <class Clock, class Span>
struct As<std::chrono::time_point<Clock, Span>> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& value) {
    Span since = value.time_since_epoch();
    archive(since);
    if constexpr (Archive::kReads) value = Value(since);
  }
};

template <class Tag>
struct As<Index<Tag>> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& id) {
    archive(id.value);
  }
};

template <class Tag>
struct As<PoolId<Tag>> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& id) {
    archive(id.slot, id.generation);
  }
};

template <class T>
struct As<std::optional<T>> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& value) {
    bool there = value.has_value();
    archive(there);
    if constexpr (Archive::kReads) {
      value.reset();
      if (there) value = T{};
    }
    if (there) archive(*value);
  }
};

template <class T, std::size_t kLength>
struct As<std::array<T, kLength>> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& all) {
    for (auto& each : all) archive(each);
  }
};

template <>
struct As<std::string> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& text) {
    const std::size_t length = archive.length(text.size());
    if constexpr (Archive::kReads) text.resize(length);
    for (auto& letter : text) archive(letter);
  }
};

// Read in place: elements that are there keep what is no state (options that they refer to). Of a
// type that nobody can make from nothing there are as many as there were, or the archive fails.
template <class T, class Allocator>
struct As<std::vector<T, Allocator>> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& all) {
    const std::size_t length = archive.length(all.size());
    if constexpr (!Archive::kReads) {
      for (const T& each : all) archive(each);
    } else if constexpr (requires { T{}; }) {
      if (all.size() > length) all.resize(length);
      // One by one: bytes that are cut short end it, whatever length they claim.
      for (std::size_t i = 0; i < length && archive.ok(); ++i) {
        if (i == all.size()) all.emplace_back();
        archive(all[i]);
      }
    } else {
      archive.require(all.size() == length);
      for (std::size_t i = 0; i < all.size() && archive.ok(); ++i) archive(all[i]);
    }
  }
};

template <class Allocator>
struct As<std::vector<bool, Allocator>> {
  template <class Archive, class Value>
  static void visit(Archive& archive, Value& all) {
    const std::size_t length = archive.length(all.size());
    if constexpr (Archive::kReads) all.resize(length);
    for (std::size_t i = 0; i < length; ++i) {
      bool bit = all[i];
      archive(bit);
      if constexpr (Archive::kReads) all[i] = bit;
    }
  }
};

}  // namespace sluice::core::state
