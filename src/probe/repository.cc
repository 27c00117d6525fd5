#include "probe/repository.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sluice::probe {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestWords = 200;

Json parsed(const std::string& text) {
  return Json::parse(text, nullptr, false);
}

// The string that an object has by that key, if it has one.
const std::string* text_at(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : found->get_ptr<const std::string*>();
}

HttpQuestion order(std::string_view prefix, std::string_view model, std::string_view verb) {
  return {.method = HttpQuestion::Method::kPost,
          .path = fmt::format("{}/v2/repository/models/{}/{}", prefix, model, verb),
          .body = "{}"};
}

}  // namespace

HttpQuestion index_question(std::string_view prefix) {
  return {.method = HttpQuestion::Method::kPost,
          .path = fmt::format("{}/v2/repository/index", prefix),
          .body = "{}"};
}

HttpQuestion load_question(std::string_view prefix, std::string_view model) {
  return order(prefix, model, "load");
}

HttpQuestion unload_question(std::string_view prefix, std::string_view model) {
  return order(prefix, model, "unload");
}

std::optional<std::vector<std::string>> ready_models(const std::string& index) {
  const Json list = parsed(index);
  if (!list.is_array()) return std::nullopt;
  std::vector<std::string> ready;
  for (const Json& entry : list) {
    const std::string* name = text_at(entry, "name");
    if (name == nullptr) return std::nullopt;
    const std::string* state = text_at(entry, "state");
    if (state != nullptr && *state == "READY") ready.push_back(*name);
  }
  std::sort(ready.begin(), ready.end());
  ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
  return ready;
}

std::string failure_of(const HttpAnswer& answer) {
  if (answer.status == 0) return answer.failure;
  const Json body = parsed(answer.body);
  const std::string* words = text_at(body, "error");
  return fmt::format("answered {}: {}", answer.status,
                     (words != nullptr ? *words : answer.body).substr(0, kLongestWords));
}

}  // namespace sluice::probe
