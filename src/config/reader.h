// A strict reader of YAML files. What a file may contain is said once, by functions that name
// their keys:
//
//   void read_lane(Fields& f, LaneOptions& out) {
//     f.optional("weight", number(0.01, 1000), out.weight, "Share of device time");
//     f.optional("max_age", duration(1ms, 1h), out.max_age, "Longest time in the queue");
//   }
//   read_document(load_document("lane.yaml"), [&](Fields& f) { read_lane(f, options); });
//
// The same functions, run without a file, describe it (docs.h): the value that a target has
// before it is read is the default that is documented. So they must not branch on what was read
// in a way that hides keys, and must cope with targets that were left alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/docs.h"
#include "config/document.h"
#include "config/error.h"
#include "config/kind.h"

namespace sluice::config {

inline constexpr std::size_t kFreeKeysLimit = 4096;

// The keys of one map. All members throw ConfigError for a value that is not allowed; the unknown
// keys of the map are found when its function has returned.
class Fields {
 public:
  using Body = std::function<void(Fields&)>;

  // A scalar. `text` is one line for the documentation, without a full stop.
  template <class T, class Out>
  void required(std::string_view key, const Kind<T>& kind, Out& out, std::string_view text) {
    describe(key, kind, "required", text);
    if (const Value* value = find(key, true))
      out = static_cast<Out>(scalar(*value, path(key), kind));
  }
  template <class T, class Out>
  void optional(std::string_view key, const Kind<T>& kind, Out& out, std::string_view text) {
    describe(key, kind, kind.format(static_cast<T>(out)), text);
    if (const Value* value = find(key)) out = static_cast<Out>(scalar(*value, path(key), kind));
  }
  // A target that may stay empty: `absent` says what that means.
  template <class T, class Out>
  requires(!std::is_same_v<T, std::optional<Out>>) void optional(std::string_view key,
                                                                 const Kind<T>& kind,
                                                                 std::optional<Out>& out,
                                                                 std::string_view text,
                                                                 std::string_view absent = "none") {
    describe(key, kind, out ? kind.format(static_cast<T>(*out)) : std::string(absent), text);
    if (const Value* value = find(key)) out = static_cast<Out>(scalar(*value, path(key), kind));
  }

  // A list of scalars, at least one when required; replaces what `out` holds.
  template <class T>
  void scalars(std::string_view key, const Kind<T>& kind, std::vector<T>& out, bool is_required,
               std::string_view text) {
    describe(key, "list: " + kind.name, kind.bounds, is_required ? "required" : "none", text);
    const Value* list = find_list(key, is_required);
    if (list == nullptr) return;
    out.clear();
    for (const Value& item : list->items)
      out.push_back(scalar(item, item_path(key, out.size()), kind));
  }

  // A map of its own, always optional: its keys have defaults.
  void map(std::string_view key, std::string_view text, const Body& body);
  void required_map(std::string_view key, std::string_view text, const Body& body);

  // The keys of this map that nobody has asked for yet, for maps whose keys are names that the file
  // chooses: each is then read like any other. In the order of the file; when only describing, the
  // placeholder alone ("<model>"). Throws when there are more than kFreeKeysLimit.
  std::vector<std::string> free_keys(std::string_view placeholder) const;

  // A map, or in short a scalar: `policy: edf`, `policy: {name: edf, …}`.
  template <class T, class Out>
  void scalar_or_map(std::string_view key, const Kind<T>& kind, Out& out, std::string_view text,
                     const Body& body) {
    describe(key, kind, kind.format(static_cast<T>(out)),
             std::string(text) + "; or a map, see below");
    const Value* value = find(key);
    if (value != nullptr && value->kind != Value::Kind::kMap) {
      out = static_cast<Out>(scalar(*value, path(key), kind));
    } else {
      nested(value, path(key), text, body);
    }
  }

  // A list of maps, at least one when required. `read` is a void(Fields&, T&); items are appended.
  template <class T, class Read>
  void list(std::string_view key, std::vector<T>& out, bool is_required, std::string_view text,
            const Read& read) {
    describe_nested(key, path(key) + "[]", "list of maps", is_required ? "required" : "none");
    if (docs_ != nullptr) {
      T example{};
      nested(nullptr, path(key) + "[]", text, [&](Fields& f) { read(f, example); });
    }
    const Value* found = find_list(key, is_required);
    if (found == nullptr) return;
    for (const Value& item : found->items) {
      T next{};
      nested(&item, item_path(key, out.size()), text, [&](Fields& f) { read(f, next); });
      out.push_back(std::move(next));
    }
  }

  // For what no single key can tell. Whether the key is there; false when only describing.
  bool has(std::string_view key) const;
  // Throws with the line and path of the key, or of the map where it is not there. Does nothing
  // when only describing, or when a required key is missing, which is then what is reported.
  void fail(std::string_view key, std::string_view message) const;

 private:
  friend void read_document(const Document&, const Body&);
  friend Docs describe_document(std::string_view, const Body&);

  Fields(const std::string& file, const Value* map, std::string path, Docs* docs)
      : file_(file), map_(map), path_(std::move(path)), docs_(docs) {}

  template <class T>
  void describe(std::string_view key, const Kind<T>& kind, std::string_view fallback,
                std::string_view text) {
    describe(key, kind.name, kind.bounds, fallback, text);
  }
  void describe(std::string_view key, std::string_view kind, std::string_view bounds,
                std::string_view fallback, std::string_view text);
  void describe_nested(std::string_view key, const std::string& at, std::string_view kind,
                       std::string_view fallback);

  template <class T>
  T scalar(const Value& value, const std::string& at, const Kind<T>& kind) const {
    require_scalar(value, at, kind.name, kind.example);
    std::optional<T> parsed = kind.parse(value.text);
    if (!parsed) refuse(value, at, "is not " + kind.name, kind.example);
    if (!kind.within(*parsed)) refuse(value, at, "is out of bounds", kind.bounds);
    return std::move(*parsed);
  }
  void require_scalar(const Value& value, const std::string& at, std::string_view kind,
                      std::string_view example) const;
  [[noreturn]] void refuse(const Value& value, const std::string& at, std::string_view what,
                           std::string_view instead) const;

  const std::string& file_of(const Value& value) const;
  bool is_known(const std::string& key) const;
  const Value* find(std::string_view key, bool is_required = false);
  const Value* find_list(std::string_view key, bool is_required);
  void nested(const Value* value, const std::string& at, std::string_view text, const Body& body);
  void finish() const;
  std::string path(std::string_view key) const;
  std::string item_path(std::string_view key, std::size_t index) const;

  const std::string& file_;
  // Null: nothing is there to be read, only to be described.
  const Value* map_;
  std::string path_;
  // Null: nobody wants to know.
  Docs* docs_;
  std::size_t section_ = 0;
  std::vector<std::string> known_;
  // The first required key that is not there. Reported only after unknown keys: it may be one of
  // them, misspelt.
  std::string missing_;
};

// Reads the whole document, whose root must be a map.
void read_document(const Document& document, const Fields::Body& body);

// Runs the same function to learn what it would read.
Docs describe_document(std::string_view text, const Fields::Body& body);

}  // namespace sluice::config
