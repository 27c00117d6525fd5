#include "config/reader.h"

#include <array>
#include <chrono>

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

enum class Colour : std::uint8_t { kRed, kGreen };
constexpr std::array<std::string_view, 2> kColourNames{"red", "green"};

struct Part {
  std::string name;
  Duration budget = 100ms;
  std::optional<std::uint32_t> size;
  Colour colour = Colour::kGreen;
  std::vector<std::string> tags;
};

struct Whole {
  std::vector<Part> parts;
  double ratio = 0.5;
  bool on = false;
};

void read_part(Fields& f, Part& out) {
  f.required("name", text(), out.name, "What it is called");
  f.optional("budget", duration(1ms, 1h), out.budget, "Longest response time");
  f.optional("size", count(1, 65535), out.size, "How large it is", "measured");
  f.optional("colour", one_of<Colour>(kColourNames), out.colour, "How it looks");
  f.scalars("tags", text(), out.tags, false, "What else it is called");
}

void read_whole(Fields& f, Whole& out) {
  f.list("parts", out.parts, true, "The parts", read_part);
  f.map("inner", "What is inside", [&](Fields& inner) {
    inner.optional("ratio", share(), out.ratio, "How much");
    inner.optional("on", flag(), out.on, "Whether it is on");
    if (out.on && out.ratio == 0) inner.fail("on", "makes no sense with ratio 0");
  });
}

Whole read(const std::string& text) {
  Whole out;
  read_document(parse_document(text, "f.yaml"), [&](Fields& f) { read_whole(f, out); });
  return out;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(Reader, ReadsEveryShape) {
  const Whole whole = read(
      "parts:\n"
      "- {name: a, budget: 5ms, size: 12k, colour: red, tags: [x, 'y z']}\n"
      "- name: b\n"
      "inner: {ratio: 40%, on: true}\n");
  ASSERT_EQ(whole.parts.size(), 2U);
  EXPECT_EQ(whole.parts[0].name, "a");
  EXPECT_EQ(whole.parts[0].budget, Duration(5ms));
  EXPECT_EQ(whole.parts[0].size, 12'000U);
  EXPECT_EQ(whole.parts[0].colour, Colour::kRed);
  EXPECT_EQ(whole.parts[0].tags, (std::vector<std::string>{"x", "y z"}));
  EXPECT_DOUBLE_EQ(whole.ratio, 0.4);
  EXPECT_TRUE(whole.on);
}

TEST(Reader, LeavesDefaultsWhereNothingIsSaid) {
  const Whole whole = read("parts: [{name: b}]\n");
  EXPECT_EQ(whole.parts[0].budget, Duration(100ms));
  EXPECT_EQ(whole.parts[0].size, std::nullopt);
  EXPECT_EQ(whole.parts[0].colour, Colour::kGreen);
  EXPECT_DOUBLE_EQ(whole.ratio, 0.5);
}

TEST(Reader, SaysWhatIsWrongWhereAndWhatIsAllowed) {
  EXPECT_EQ(error_of("parts:\n- name: a\n  budget: fast\n"),
            "f.yaml:3: parts[0].budget: \"fast\" is not a duration; write a number with ns, us, "
            "ms, s, min or h, like 100ms");
  EXPECT_EQ(error_of("parts:\n- name: a\n- name: b\n  budget: 2h\n"),
            "f.yaml:4: parts[1].budget: \"2h\" is out of bounds; write 1ms to 1h");
  EXPECT_EQ(error_of("parts: [{name: a, size: 65536}]\n"),
            "f.yaml:1: parts[0].size: \"65536\" is out of bounds; write 1 to 65535");
  EXPECT_EQ(error_of("parts: [{name: a, colour: blue}]\n"),
            "f.yaml:1: parts[0].colour: \"blue\" is not one of red, green");
  EXPECT_EQ(error_of("parts: [{name: a, tags: [b, '']}]\n"),
            "f.yaml:1: parts[0].tags[1]: \"\" is not a text; write 1 to 256 bytes without control "
            "characters");
}

TEST(Reader, SaysWhichShapeBelongs) {
  EXPECT_EQ(error_of("parts: a\n"), "f.yaml:1: parts: a single value where a list belongs");
  EXPECT_EQ(error_of("parts: [a]\n"),
            "f.yaml:1: parts[0]: a single value where a map of keys and values belongs");
  EXPECT_EQ(error_of("parts: []\n"), "f.yaml:1: parts: is empty; it needs at least one item");
  EXPECT_EQ(error_of("parts: [{name: [a]}]\n")
                .rfind("f.yaml:1: parts[0].name: a list where a text belongs", 0),
            0U);
  EXPECT_EQ(error_of("parts: [{name: a}]\ninner:\n"),
            "f.yaml:2: inner: nothing where a map of keys and values belongs");
  EXPECT_EQ(error_of("[a]"), "f.yaml:1: a list where a map of keys and values belongs");
  EXPECT_EQ(error_of(""), "f.yaml: is empty");
}

TEST(Reader, UnknownKeysAreErrorsWithASuggestion) {
  EXPECT_EQ(error_of("parts:\n- name: a\n  bugdet: 1s\n"),
            "f.yaml:3: parts[0].bugdet: unknown key (did you mean budget?); allowed: name, budget, "
            "size, colour, tags");
  EXPECT_EQ(error_of("parts: [{name: a}]\nwhatever: 1\n"),
            "f.yaml:2: whatever: unknown key; allowed: parts, inner");
}

TEST(Reader, AMisspeltRequiredKeyIsUnknownRatherThanMissing) {
  EXPECT_EQ(
      error_of("parts: [{nmae: a}]\n"),
      "f.yaml:1: parts[0].nmae: unknown key (did you mean name?); allowed: name, budget, size, "
      "colour, tags");
  EXPECT_EQ(error_of("parts:\n- budget: 1s\n"),
            "f.yaml:2: parts[0].name: is required, but not there");
}

TEST(Reader, FailsAtTheLineOfTheKey) {
  EXPECT_EQ(error_of("parts: [{name: a}]\ninner:\n  ratio: 0\n  on: yes\n"),
            "f.yaml:4: inner.on: makes no sense with ratio 0");
}

TEST(Reader, ErrorsQuoteOnlyTheStartOfALongText) {
  const std::string error = error_of("parts: [{name: " + std::string(5000, 'x') + "}]\n");
  EXPECT_LT(error.size(), 250U);
}

TEST(Reader, AScalarIsShortForAMap) {
  const auto read_short = [](const std::string& text) {
    Colour colour = Colour::kGreen;
    double ratio = 0.5;
    read_document(parse_document(text, "f.yaml"), [&](Fields& f) {
      const auto kind = one_of<Colour>(kColourNames);
      f.scalar_or_map("look", kind, colour, "How it looks", [&](Fields& look) {
        look.required("colour", kind, colour, "Its colour");
        look.optional("ratio", share(), ratio, "How much");
      });
    });
    return std::pair(colour, ratio);
  };
  EXPECT_EQ(read_short("look: red"), std::pair(Colour::kRed, 0.5));
  EXPECT_EQ(read_short("look: {colour: red, ratio: 1}"), std::pair(Colour::kRed, 1.0));
  EXPECT_THROW(read_short("look: {ratio: 1}"), ConfigError);
  EXPECT_THROW(read_short("look: [red]"), ConfigError);
}

struct Named {
  double total = 0;
  std::vector<std::string> names;
  std::vector<double> values;
};

void read_named(Fields& f, Named& out) {
  f.required_map("weights", "By name", [&](Fields& weights) {
    weights.optional("total", number(0, 10), out.total, "Of all");
    for (const std::string& key : weights.free_keys("<name>")) {
      double value = 0;
      weights.required(key, number(0, 10), value, "Of one");
      out.names.push_back(key);
      out.values.push_back(value);
    }
  });
}

std::string error_of_named(const std::string& yaml) {
  Named named;
  try {
    read_document(parse_document(yaml, "f.yaml"), [&](Fields& f) { read_named(f, named); });
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(Reader, FreeKeysAreThoseThatNobodyAskedFor) {
  Named named;
  read_document(parse_document("weights: {b: 2, total: 3, a: 1}\n", "f.yaml"),
                [&](Fields& f) { read_named(f, named); });
  EXPECT_EQ(named.names, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(named.values, (std::vector<double>{2, 1}));
  EXPECT_EQ(named.total, 3);
}

TEST(Reader, FreeKeysAreReadAsStrictlyAsOthers) {
  EXPECT_EQ(error_of_named("weights:\n  a: x\n"), "f.yaml:2: weights.a: \"x\" is not a number");
  EXPECT_EQ(error_of_named("weights:\n  a: 11\n"),
            "f.yaml:2: weights.a: \"11\" is out of bounds; write 0 to 10");
  EXPECT_EQ(error_of_named("weights:\n  a:\n"),
            "f.yaml:2: weights.a: nothing where a number belongs");
}

TEST(Reader, ARequiredMapMustBeThere) {
  EXPECT_EQ(error_of_named("{}\n"), "f.yaml:1: weights: is required, but not there");
  EXPECT_NE(error_of_named("wieghts: {a: 1}\n").find("did you mean weights?"), std::string::npos);
}

TEST(Reader, FreeKeysAreBounded) {
  std::string yaml = "weights:\n";
  for (std::size_t i = 0; i <= kFreeKeysLimit; ++i) yaml += "  k" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(error_of_named(yaml), "f.yaml:2: weights: more than 4096 keys");
}

TEST(Reader, DescribesFreeKeysByTheirPlaceholder) {
  Named named;
  const Docs docs = describe_document("", [&](Fields& f) { read_named(f, named); });
  ASSERT_EQ(docs.size(), 2U);
  ASSERT_EQ(docs[1].keys.size(), 2U);
  EXPECT_EQ(docs[1].keys[1].name, "<name>");
}

TEST(Reader, DescribesWhatItWouldRead) {
  Whole whole;
  const Docs docs = describe_document("A whole", [&](Fields& f) { read_whole(f, whole); });
  EXPECT_EQ(to_markdown(docs),
            "\nA whole.\n"
            "\n| key | value | default | meaning |\n|---|---|---|---|\n"
            "| `parts` | list of maps | required | See `parts[]` below |\n"
            "| `inner` | map | see below | See `inner` below |\n"
            "\n## `parts[]`\n\nThe parts.\n"
            "\n| key | value | default | meaning |\n|---|---|---|---|\n"
            "| `name` | a text | required | What it is called |\n"
            "| `budget` | a duration, 1ms to 1h | 100ms | Longest response time |\n"
            "| `size` | a count, 1 to 65535 | measured | How large it is |\n"
            "| `colour` | one of red, green | green | How it looks |\n"
            "| `tags` | list: a text | none | What else it is called |\n"
            "\n## `inner`\n\nWhat is inside.\n"
            "\n| key | value | default | meaning |\n|---|---|---|---|\n"
            "| `ratio` | a share, 0 to 1 | 0.5 | How much |\n"
            "| `on` | true or false | false | Whether it is on |\n");
}

}  // namespace
}  // namespace sluice::config
