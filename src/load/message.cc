#include "load/message.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <nlohmann/json.hpp>
#include <variant>

#include "load/image_tensor.h"

namespace sluice::load {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are sent as they lie in memory");

// The answer's tensors are asked for as binary too: as JSON text they would cost the replica and
// this process more than the inference.
std::string infer_head(const std::string& tensor, const char* datatype,
                       const std::vector<std::size_t>& shape, std::size_t size_bytes) {
  const nlohmann::ordered_json head = {{"inputs",
                                        {{{"name", tensor},
                                          {"datatype", datatype},
                                          {"shape", shape},
                                          {"parameters", {{"binary_data_size", size_bytes}}}}}},
                                       {"parameters", {{"binary_data_output", true}}}};
  return head.dump();
}

}  // namespace

InferBody bytes_body(std::size_t size_bytes) {
  InferBody body{.bytes = infer_head("input", "UINT8", {1, size_bytes}, size_bytes)};
  body.json_bytes = body.bytes.size();
  body.bytes.append(size_bytes, 'x');
  return body;
}

InferBody image_body(const std::string& file, const workload::ImageInput& input) {
  const std::vector<float> tensor = image_tensor(file, input);
  const std::size_t size_bytes = tensor.size() * sizeof(float);
  InferBody body{.bytes = infer_head(input.tensor, "FP32",
                                     {1, 3, static_cast<std::size_t>(input.height),
                                      static_cast<std::size_t>(input.width)},
                                     size_bytes)};
  body.json_bytes = body.bytes.size();
  body.bytes.append(reinterpret_cast<const char*>(tensor.data()), size_bytes);
  return body;
}

std::string infer_message(const Target& target, const workload::RequestClass& request_class,
                          const InferBody& body) {
  std::string message = fmt::format(
      "POST {}/v2/models/{}/infer HTTP/1.1\r\n"
      "Host: {}\r\n"
      "Content-Type: application/octet-stream\r\n"
      "Content-Length: {}\r\n"
      "Inference-Header-Content-Length: {}\r\n"
      "x-sluice-tenant: {}\r\n"
      "x-sluice-budget-ms: {}\r\n",
      target.prefix, request_class.model, target.authority(), body.bytes.size(), body.json_bytes,
      request_class.tenant,
      std::chrono::ceil<std::chrono::milliseconds>(request_class.budget).count());
  const auto out = std::back_inserter(message);
  if (request_class.realtime)
    fmt::format_to(out, "x-sluice-realtime: {}\r\n", *request_class.realtime);
  if (request_class.priority)
    fmt::format_to(out, "x-sluice-priority: {}\r\n", *request_class.priority);
  return message + "\r\n" + body.bytes;
}

std::vector<std::string> messages_of(const Target& target,
                                     const workload::RequestClass& request_class) {
  if (const auto* bytes = std::get_if<workload::BytesInput>(&request_class.input)) {
    return {infer_message(target, request_class, bytes_body(bytes->size_bytes))};
  }
  const auto& input = std::get<workload::ImageInput>(request_class.input);
  std::vector<std::string> messages;
  for (const std::string& file : input.files) {
    messages.push_back(infer_message(target, request_class, image_body(file, input)));
  }
  return messages;
}

}  // namespace sluice::load
