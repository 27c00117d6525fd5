// What is written is read, byte for byte the same everywhere; and no bytes do harm.
#include "core/state/archive.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/state.h"
#include "base/time.h"
#include "core/ids.h"
#include "core/labels.h"
#include "core/state/reader.h"
#include "core/state/writer.h"

namespace sluice::core::state {
namespace {

using Bytes = std::vector<std::byte>;

template <class... Fields>
Bytes written(const Fields&... fields) {
  Bytes bytes;
  Writer write(bytes);
  write(fields...);
  return bytes;
}

template <class T>
T read_back(const Bytes& bytes, T into = T{}) {
  Reader read(bytes);
  read(into);
  EXPECT_TRUE(read.ok());
  EXPECT_EQ(read.left(), 0u);
  return into;
}

template <class T>
void expect_back(const T& value) {
  EXPECT_EQ(read_back<T>(written(value)), value);
}

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

// A bit of everything, in the ways in which states are made of each other.
struct Part {
  std::uint16_t number = 0;
  std::vector<Priority> list;
  bool operator==(const Part&) const = default;

  SLUICE_STATE(number, list);
};
struct Whole {
  bool flag = false;
  double figure = 0;
  std::array<Part, 2> parts;
  std::optional<Part> maybe;
  std::string text;
  std::vector<bool> bits;
  TimePoint when;
  NodeId node;
  TaskId task;
  Lane lane = Lane::kHigh;
  bool operator==(const Whole&) const = default;

  SLUICE_STATE(flag, figure, parts, maybe, text, bits, when, node, task, lane);
};

Whole whole() {
  return {.flag = true,
          .figure = -0.1,
          .parts = {Part{1, {2, 3}}, Part{65535, {}}},
          .maybe = Part{4, {5}},
          .text = "text",
          .bits = {true, false, true},
          .when = kNever,
          .node = NodeId{7},
          .task = TaskId{8, 9},
          .lane = Lane::kLow};
}

TEST(Archive, NumbersAreLittleEndianAndOfTheirWidth) {
  EXPECT_EQ(written(std::uint8_t{1}, std::uint16_t{0x0203}, std::int32_t{-2}),
            bytes_of({1, 3, 2, 0xfe, 0xff, 0xff, 0xff}));
  EXPECT_EQ(written(1.0F, true), bytes_of({0, 0, 0x80, 0x3f, 1}));
  EXPECT_EQ(written(-2.0), bytes_of({0, 0, 0, 0, 0, 0, 0, 0xc0}));
  EXPECT_EQ(written(Lane::kLow), bytes_of({2}));
  EXPECT_EQ(written(Duration(-1)).size(), 8u);
  EXPECT_EQ(written(std::string("ab")), bytes_of({2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'}));
}

TEST(Archive, WhatIsWrittenIsRead) {
  expect_back(std::numeric_limits<std::int64_t>::min());
  expect_back(std::numeric_limits<std::uint64_t>::max());
  expect_back(std::numeric_limits<double>::infinity());
  expect_back(std::numeric_limits<double>::denorm_min());
  expect_back(1.1F);
  expect_back(Duration::max());
  expect_back(TimePoint::min());
  expect_back(std::optional<int>());
  expect_back(std::vector<std::vector<std::uint32_t>>{{1, 2}, {}, {3}});
  expect_back(whole());
  // Zero has two signs.
  EXPECT_EQ(written(read_back<double>(written(-0.0))), written(-0.0));
}

TEST(Archive, WhatWasThereBeforeIsGone) {
  EXPECT_EQ(read_back(written(Whole{}), whole()), Whole{});
  EXPECT_EQ(read_back(written(whole()), Whole{.bits = {false, true, true, true}}), whole());
}

// Options that an element refers to are no state.
struct Refers {
  explicit Refers(const int& option) : option_(&option) {}

  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [option, state] = self;
    archive(state);
  }
  const int* option_;
  int state_ = 0;
};

TEST(Archive, ReadsInPlaceWhatNobodyCanMakeFromNothing) {
  const int option = 0;
  std::vector<Refers> all(2, Refers(option));
  all[1].state_ = 5;
  const auto back = read_back(written(all), std::vector<Refers>(2, Refers(option)));
  EXPECT_EQ(back[1].state_, 5);
  EXPECT_EQ(back[1].option_, &option);

  std::vector<Refers> more(3, Refers(option));
  const Bytes bytes = written(all);
  Reader read(bytes);
  read(more);
  EXPECT_FALSE(read.ok());
  EXPECT_EQ(more.size(), 3u);
}

TEST(Archive, BytesThatEndTooSoonFailWhereverTheyEnd) {
  const Bytes bytes = written(whole());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Whole into;
    Reader read(std::span<const std::byte>(bytes).first(length));
    read(into);
    EXPECT_FALSE(read.ok()) << "cut after " << length;
    EXPECT_EQ(read.left(), 0u);
  }
}

TEST(Archive, HugeLengthsTakeNoMemory) {
  Bytes bytes(64, std::byte{0xff});
  std::vector<std::array<double, 100>> wide;
  std::string text;
  std::vector<bool> bits;
  Reader{bytes}(wide);
  Reader{bytes}(text);
  Reader{bytes}(bits);
  EXPECT_EQ(wide.capacity(), 0u);
  EXPECT_TRUE(text.empty() && bits.empty());

  // As many as there are bytes: it ends with the bytes, not with the length.
  bytes = written(std::uint64_t{10'000});
  bytes.resize(10'008);
  Reader read(bytes);
  read(wide);
  EXPECT_FALSE(read.ok());
  EXPECT_LE(wide.size() * sizeof(wide[0]), bytes.size() + sizeof(wide[0]));
}

TEST(Archive, WhatNoWriterWritesFails) {
  bool flag = true;
  const Bytes bytes = bytes_of({2});
  Reader read(bytes);
  read(flag);
  EXPECT_FALSE(read.ok());
  EXPECT_FALSE(flag);
  // And stays failed.
  std::uint8_t number = 1;
  read(number);
  EXPECT_EQ(number, 0u);
}

TEST(ArchiveDeathTest, NothingIsLeftOverBetweenEvents) {
  Bytes bytes;
  Writer write(bytes);
  std::vector<int> left_over{1};
  EXPECT_DEATH(write.empty(left_over), "left over");
  Reader{bytes}.empty(left_over);
  EXPECT_TRUE(left_over.empty());
}

}  // namespace
}  // namespace sluice::core::state
