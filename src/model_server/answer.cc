#include "model_server/answer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sluice::model_server {

std::string quoted(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

Answer error_answer(int status, std::string_view message) {
  return {.status = status, .body = fmt::format(R"({{"error":{}}})", quoted(message))};
}

}  // namespace sluice::model_server
