#include "model_server/oip_response.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>

namespace sluice::model_server {
namespace {

template <class T>
void append_elements(const Tensor& tensor, std::string& json) {
  for (std::size_t offset = 0; offset < tensor.data.size(); offset += sizeof(T)) {
    T element;
    std::memcpy(&element, tensor.data.data() + offset, sizeof(T));
    if (offset != 0) json += ',';
    if (std::is_floating_point_v<T> && !std::isfinite(static_cast<double>(element))) {
      json += "null";
    } else {
      fmt::format_to(std::back_inserter(json), "{}", element);
    }
  }
}

void append_data(const Tensor& tensor, std::string& json) {
  switch (tensor.type) {
    case DataType::kUint8:
      return append_elements<std::uint8_t>(tensor, json);
    case DataType::kInt32:
      return append_elements<std::int32_t>(tensor, json);
    case DataType::kInt64:
      return append_elements<std::int64_t>(tensor, json);
    case DataType::kFp32:
      return append_elements<float>(tensor, json);
  }
}

void append_output(const OutputTensor& output, std::string& json) {
  const Tensor& tensor = output.tensor;
  fmt::format_to(std::back_inserter(json), R"({{"name":{},"datatype":"{}","shape":{},)",
                 quoted(tensor.name), name_of(tensor.type), to_string(tensor.shape));
  if (output.binary) {
    fmt::format_to(std::back_inserter(json), R"("parameters":{{"binary_data_size":{}}}}})",
                   tensor.data.size());
    return;
  }
  json += R"("data":[)";
  append_data(tensor, json);
  json += "]}";
}

std::string response_json(std::string_view model, std::string_view id,
                          const std::vector<OutputTensor>& outputs) {
  std::string json =
      fmt::format(R"({{"model_name":{},"model_version":"{}",)", quoted(model), kModelVersion);
  if (!id.empty()) fmt::format_to(std::back_inserter(json), R"("id":{},)", quoted(id));
  json += R"("outputs":[)";
  for (const OutputTensor& output : outputs) {
    if (json.back() != '[') json += ',';
    append_output(output, json);
  }
  json += "]}";
  return json;
}

}  // namespace

Answer infer_answer(std::string_view model, std::string_view id,
                    const std::vector<OutputTensor>& outputs) {
  Answer answer{.body = response_json(model, id, outputs)};
  const std::size_t json_bytes = answer.body.size();
  for (const OutputTensor& output : outputs) {
    if (!output.binary) continue;
    answer.json_bytes = json_bytes;
    answer.content_type = "application/octet-stream";
    const auto& data = output.tensor.data;
    answer.body.append(reinterpret_cast<const char*>(data.data()), data.size());
  }
  return answer;
}

}  // namespace sluice::model_server
