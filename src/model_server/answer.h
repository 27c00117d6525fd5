// What the server answers: a status, a body and its kind.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::model_server {

inline constexpr std::string_view kJson = "application/json";

struct Answer {
  int status = 200;
  std::string body;
  std::string_view content_type = kJson;
  // Set when binary tensors follow the JSON: its length, for Inference-Header-Content-Length.
  std::optional<std::size_t> json_bytes = std::nullopt;
};

// `text` as a JSON string, quotes included; bytes that are no UTF-8 become U+FFFD.
std::string quoted(std::string_view text);

// The protocol's error object: {"error":"..."}.
Answer error_answer(int status, std::string_view message);

}  // namespace sluice::model_server
