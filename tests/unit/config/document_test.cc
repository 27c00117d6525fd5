#include "config/document.h"

#include <gtest/gtest.h>

#include "config/error.h"

namespace sluice::config {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_document(text, "f.yaml");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(Document, KeepsTextAndLines) {
  const Document document = parse_document("a: 1\nb:\n  - 'x'\n  - {c: ~}\n", "f.yaml");
  const Value& root = document.root;
  ASSERT_EQ(root.kind, Value::Kind::kMap);
  ASSERT_EQ(root.items.size(), 2U);
  EXPECT_EQ(root.items[0].key, "a");
  EXPECT_EQ(root.items[0].text, "1");
  EXPECT_EQ(root.items[1].key_line, 2);
  const Value& list = root.items[1];
  ASSERT_EQ(list.items.size(), 2U);
  EXPECT_EQ(list.items[0].text, "x");
  EXPECT_EQ(list.items[1].line, 4);
  EXPECT_EQ(list.items[1].items[0].kind, Value::Kind::kNull);
}

TEST(Document, RefusesAKeyTwiceAndSaysWhereTheFirstIs) {
  EXPECT_EQ(error_of("a: 1\nb: 2\na: 3\n"), "f.yaml:3: a: this key was already given on line 1");
}

TEST(Document, RefusesWhatAConfigurationDoesNotNeed) {
  EXPECT_EQ(error_of("a: &x 1\n"),
            "f.yaml:1: anchors are not allowed; write the value out where it is used");
  EXPECT_NE(error_of("a: !!int 1\n").find("tag tag:yaml.org,2002:int is not allowed"),
            std::string::npos);
  EXPECT_EQ(error_of("---\na: 1\n---\nb: 2\n"), "f.yaml:3: a second document; write one only");
  EXPECT_EQ(error_of("[a, b]: 1\n"), "f.yaml:1: a key must be a word, not a list or map");
  EXPECT_EQ(error_of("~: 1\n"), "f.yaml:1: a key without a name");
}

TEST(Document, SaysThatAStarMustBeQuoted) {
  EXPECT_NE(error_of("tier: *\n").find("f.yaml:1: "), std::string::npos);
  EXPECT_NE(error_of("tier: *\n").find("quote"), std::string::npos);
}

TEST(Document, BoundsSizeAndDepth) {
  EXPECT_EQ(error_of(std::string(kFileLimitBytes + 1, ' ')), "f.yaml: larger than 1 MiB");
  EXPECT_EQ(error_of("a: " + std::string(kDepthLimit - 1, '[') + std::string(kDepthLimit - 1, ']')),
            "");
  EXPECT_EQ(error_of("a: " + std::string(kDepthLimit, '[') + std::string(kDepthLimit, ']')),
            "f.yaml:1: nested deeper than 16 levels");
  EXPECT_EQ(error_of(std::string(257, 'k') + ": 1\n"), "f.yaml:1: a key of more than 256 bytes");
  EXPECT_NE(error_of(std::string(100'000, '[')), "");
}

TEST(Document, SaysWhereTheYamlIsBroken) {
  EXPECT_EQ(error_of("a: 1\nb: [1,\n").rfind("f.yaml:", 0), 0U);
  EXPECT_NE(error_of("a: [1, 2\nb: 3\n").find("not YAML: "), std::string::npos);
}

TEST(Document, SaysThatAFileCannotBeRead) {
  EXPECT_THROW(load_document("/nowhere/at/all.yaml"), ConfigError);
  EXPECT_THROW(load_document("/"), ConfigError);
}

}  // namespace
}  // namespace sluice::config
