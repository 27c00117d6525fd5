#include "config/document.h"

#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "config/error.h"

namespace sluice::config {
namespace {

constexpr std::size_t kKeyLimitBytes = 256;

// Takes the parser's events: YAML::Node would hide duplicate keys, the lines of keys and aliases.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view file) : file_(file) {}

  Value take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) fail(mark, "a second document; write one only");
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    fail(mark, "anchors are not allowed; write the value out where it is used");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "aliases are not allowed; write the value out");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (expects_key()) fail(mark, "a key without a name");
    add(make(mark, Value::Kind::kNull));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& text) override {
    refuse_tag(mark, tag);
    if (expects_key()) return begin_member(mark, text);
    Value value = make(mark, Value::Kind::kScalar);
    value.text = text;
    add(std::move(value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, Value::Kind::kList);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, Value::Kind::kMap);
  }
  void OnMapEnd() override { close(); }

 private:
  // A list or map whose end has not come yet.
  struct Open {
    Value value;
    std::map<std::string, int> key_lines;
    // In a map: the key whose value comes next.
    std::optional<std::pair<std::string, int>> key;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, std::string_view message) const {
    throw ConfigError(file_, mark.line + 1, "", message);
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().value.kind == Value::Kind::kMap && !open_.back().key;
  }

  static Value make(const YAML::Mark& mark, Value::Kind kind) {
    Value value;
    value.kind = kind;
    value.line = mark.line + 1;
    return value;
  }

  // The parser writes "?" for a plain scalar, "!" for a quoted one.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.size() > 1) fail(mark, "tag " + tag + " is not allowed; write the value without it");
  }

  void begin_member(const YAML::Mark& mark, const std::string& key) {
    if (key.size() > kKeyLimitBytes) fail(mark, "a key of more than 256 bytes");
    Open& map = open_.back();
    const auto [first, is_new] = map.key_lines.emplace(key, mark.line + 1);
    if (!is_new) {
      fail(mark, key + ": this key was already given on line " + std::to_string(first->second));
    }
    map.key.emplace(key, mark.line + 1);
  }

  void open(const YAML::Mark& mark, const std::string& tag, Value::Kind kind) {
    refuse_tag(mark, tag);
    if (expects_key()) fail(mark, "a key must be a word, not a list or map");
    if (open_.size() >= kDepthLimit) {
      fail(mark, "nested deeper than " + std::to_string(kDepthLimit) + " levels");
    }
    open_.push_back({.value = make(mark, kind)});
  }

  void close() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    add(std::move(value));
  }

  void add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.key) {
      std::tie(value.key, value.key_line) = std::move(*parent.key);
      parent.key.reset();
      // The parser finds out that nothing comes only when the next thing does.
      if (value.kind == Value::Kind::kNull) value.line = value.key_line;
    }
    parent.value.items.push_back(std::move(value));
  }

  std::string_view file_;
  int documents_ = 0;
  std::vector<Open> open_;
  Value root_;
};

// A wildcard is the one star that people mean.
std::string_view hint(std::string_view parser_message) {
  const bool is_alias = parser_message.find("alias") != std::string_view::npos;
  return is_alias ? "; to match all, quote it: \"*\"" : "";
}

void refuse_large(const std::string& file, std::size_t size_bytes) {
  if (size_bytes > kFileLimitBytes) throw ConfigError(file, 0, "", "larger than 1 MiB");
}

}  // namespace

Document parse_document(const std::string& text, std::string file) {
  refuse_large(file, text.size());
  TreeBuilder builder(file);
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& e) {
    throw ConfigError(file, e.mark.line + 1, "", "not YAML: " + e.msg + std::string(hint(e.msg)));
  }
  Value root = builder.take_root();
  return {.file = std::move(file), .root = std::move(root)};
}

Document load_document(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ConfigError(path, 0, "", "cannot be opened; is the path right, and readable?");
  // One byte more than allowed tells a large file from a full one, without reading all of it.
  std::string text(kFileLimitBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) throw ConfigError(path, 0, "", "cannot be read; is it a file?");
  text.resize(static_cast<std::size_t>(in.gcount()));
  return parse_document(text, path);
}

}  // namespace sluice::config
