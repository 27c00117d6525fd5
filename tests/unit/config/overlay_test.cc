#include "config/overlay.h"

#include <gtest/gtest.h>

#include <string>

#include "config/error.h"
#include "config/kind.h"
#include "config/reader.h"

namespace sluice::config {
namespace {

Document both(const std::string& base, const std::string& over) {
  return {
      .file = "over.yaml",
      .root = overlay(parse_document(base, "base.yaml"), parse_document(over, "over.yaml").root)};
}

// Flow style, with the file of each scalar that is not the document's own.
std::string shown(const Value& value) {
  std::string text = value.kind == Value::Kind::kMap    ? "{"
                     : value.kind == Value::Kind::kList ? "["
                                                        : "";
  if (text.empty()) return value.text + (value.file ? "@" + *value.file : "");
  for (const Value& item : value.items) {
    if (text.size() > 1) text += ", ";
    if (!item.key.empty()) text += item.key + ": ";
    text += shown(item);
  }
  return text + (value.kind == Value::Kind::kMap ? "}" : "]");
}

TEST(Overlay, MergesMapsKeyByKeyAndReplacesTheRest) {
  EXPECT_EQ(shown(both("a: 1\nm: {x: 1, y: {p: 1, q: 2}}\nl: [1, 2]\n",
                       "m: {y: {q: 3}, z: 4}\nl: [5]\nn: 6\n")
                      .root),
            "{a: 1@base.yaml, m: {x: 1@base.yaml, y: {p: 1@base.yaml, q: 3}, z: 4}, l: [5], n: 6}");
}

TEST(Overlay, ReplacesAMapByAScalarAndTheOtherWayRound) {
  EXPECT_EQ(shown(both("a: {x: 1}\nb: 2\n", "a: 3\nb: {y: 4}\n").root), "{a: 3, b: {y: 4}}");
}

TEST(Overlay, RemembersTheFilesOfAWholeChain) {
  Document lower = both("a: 1\nb: 1\nc: 1\n", "b: 2\n");
  const Value whole = overlay(std::move(lower), parse_document("c: 3\n", "top.yaml").root);
  EXPECT_EQ(shown(whole), "{a: 1@base.yaml, b: 2@over.yaml, c: 3}");
}

std::string error_of(const Document& document) {
  try {
    read_document(document, [](Fields& f) {
      double number = 0;
      f.required("a", config::number(0, 1), number, "A number");
      f.map("m", "A map", [&](Fields& m) { m.required("x", config::number(0, 1), number, ""); });
      f.optional("n", config::number(0, 1), number, "A number");
      if (f.has("n")) f.fail("n", "is not wanted");
    });
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(Overlay, ErrorsNameTheFileThatIsAtFault) {
  EXPECT_EQ(error_of(both("\na: 7\n", "m: {x: 1}\n")),
            "base.yaml:2: a: \"7\" is out of bounds; write 0 to 1");
  EXPECT_EQ(error_of(both("\na: 7\n", "a: 8\n")),
            "over.yaml:1: a: \"8\" is out of bounds; write 0 to 1");
  EXPECT_EQ(error_of(both("a: 1\n\nm: {z: 1}\n", "a: 0\n")),
            "base.yaml:3: m.z: unknown key (did you mean x?); allowed: x");
  EXPECT_EQ(error_of(both("a: 1\nm: {}\n", "a: 0\n")),
            "base.yaml:2: m.x: is required, but not there");
  EXPECT_EQ(error_of(both("a: 1\nm: [1]\n", "a: 0\n")),
            "base.yaml:2: m: a list where a map of keys and values belongs");
  EXPECT_EQ(error_of(both("n: 1\na: 1\n", "a: 0\n")), "base.yaml:1: n: is not wanted");
}

}  // namespace
}  // namespace sluice::config
