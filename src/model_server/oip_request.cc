#include "model_server/oip_request.h"

#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <simdjson.h>

namespace sluice::model_server {
namespace {

namespace dom = simdjson::dom;

// A member that may be missing: nullopt then, BadRequest when it is there and no T.
template <class T>
std::optional<T> optional_member(const dom::object& object, std::string_view key) {
  const auto member = object.at_key(key);
  if (member.error() != simdjson::SUCCESS) return std::nullopt;
  T value;
  if (member.get(value) != simdjson::SUCCESS) {
    throw BadRequest(fmt::format("\"{}\" is of the wrong type", key));
  }
  return value;
}

template <class T>
T member(const dom::object& object, std::string_view key) {
  auto value = optional_member<T>(object, key);
  if (!value) throw BadRequest(fmt::format("\"{}\" is missing", key));
  return *std::move(value);
}

template <class T>
std::optional<T> parameter(const dom::object& object, std::string_view key) {
  const auto parameters = optional_member<dom::object>(object, "parameters");
  return parameters ? optional_member<T>(*parameters, key) : std::nullopt;
}

dom::object object_of(const dom::element& element, std::string_view what) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) {
    throw BadRequest(fmt::format("{} must be an object", what));
  }
  return object;
}

Shape parse_shape(const dom::array& dimensions) {
  Shape shape;
  for (const dom::element dimension : dimensions) {
    std::int64_t size = 0;
    if (dimension.get(size) != simdjson::SUCCESS || size < 0) {
      throw BadRequest("\"shape\" must hold whole numbers, 0 or more");
    }
    shape.push_back(size);
  }
  return shape;
}

// Numbers of JSON become elements of T, in order; nested arrays are flattened (row major).
template <class T>
class ElementReader {
 public:
  explicit ElementReader(Tensor& tensor) : tensor_(tensor) {}

  void read(const dom::array& values, std::size_t depth = 0) {
    if (depth > tensor_.shape.size()) throw BadRequest("\"data\" is nested deeper than \"shape\"");
    for (const dom::element value : values) {
      dom::array inner;
      if (value.get(inner) == simdjson::SUCCESS) {
        read(inner, depth + 1);
      } else {
        append(value);
      }
    }
  }

  bool complete() const { return offset_ == tensor_.data.size(); }

 private:
  void append(const dom::element& value) {
    const T element = convert(value);
    if (complete()) throw BadRequest("\"data\" has more elements than \"shape\"");
    std::memcpy(tensor_.data.data() + offset_, &element, sizeof(T));
    offset_ += sizeof(T);
  }

  static T convert(const dom::element& value) {
    using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    Wide wide = 0;
    if (value.get(wide) != simdjson::SUCCESS || wide < std::numeric_limits<T>::lowest() ||
        wide > std::numeric_limits<T>::max()) {
      throw BadRequest("\"data\" holds a value that \"datatype\" cannot");
    }
    return static_cast<T>(wide);
  }

  Tensor& tensor_;
  std::size_t offset_ = 0;
};

template <class T>
void read_elements(const dom::array& values, Tensor& tensor) {
  ElementReader<T> reader(tensor);
  reader.read(values);
  if (!reader.complete()) throw BadRequest("\"data\" has fewer elements than \"shape\"");
}

void read_json_data(const dom::object& object, std::size_t count, Tensor& tensor) {
  const auto values = member<dom::array>(object, "data");
  tensor.data.resize(count * bytes_of(tensor.type));
  switch (tensor.type) {
    case DataType::kUint8:
      return read_elements<std::uint8_t>(values, tensor);
    case DataType::kInt32:
      return read_elements<std::int32_t>(values, tensor);
    case DataType::kInt64:
      return read_elements<std::int64_t>(values, tensor);
    case DataType::kFp32:
      return read_elements<float>(values, tensor);
  }
}

// Takes the tensor's bytes from the front of `raw`.
void read_raw_data(std::uint64_t size, std::size_t count, std::string_view& raw, Tensor& tensor) {
  if (size != count * bytes_of(tensor.type)) {
    throw BadRequest(fmt::format("\"binary_data_size\" is {} but {} of shape {} take {} bytes",
                                 size, name_of(tensor.type), to_string(tensor.shape),
                                 count * bytes_of(tensor.type)));
  }
  if (size > raw.size()) throw BadRequest("the body ends before its binary tensors do");
  const auto* first = reinterpret_cast<const std::byte*>(raw.data());
  tensor.data.assign(first, first + size);
  raw.remove_prefix(size);
}

Tensor parse_tensor(const dom::object& object, std::size_t body_bytes, std::string_view& raw) {
  Tensor tensor{.name = std::string(member<std::string_view>(object, "name")),
                .shape = parse_shape(member<dom::array>(object, "shape"))};
  const auto type_name = member<std::string_view>(object, "datatype");
  const auto type = data_type_of(type_name);
  if (!type) {
    throw BadRequest(
        fmt::format("\"datatype\" {} is not one of FP32, INT64, INT32, UINT8", type_name));
  }
  tensor.type = *type;
  // An element takes a byte of the body at least, so a larger shape cannot be meant seriously.
  const auto count = element_count(tensor.shape, body_bytes);
  if (!count) throw BadRequest("\"shape\" has more elements than the body can hold");
  if (const auto size = parameter<std::uint64_t>(object, "binary_data_size")) {
    read_raw_data(*size, *count, raw, tensor);
  } else {
    read_json_data(object, *count, tensor);
  }
  return tensor;
}

std::vector<Tensor> parse_inputs(const dom::object& root, const InferBody& body) {
  std::vector<Tensor> inputs;
  std::string_view raw = body.raw();
  for (const dom::element element : member<dom::array>(root, "inputs")) {
    const auto object = object_of(element, "an input");
    try {
      inputs.push_back(parse_tensor(object, body.bytes.size(), raw));
    } catch (const BadRequest& error) {
      throw BadRequest(fmt::format("inputs[{}]: {}", inputs.size(), error.what()));
    }
  }
  if (!raw.empty()) throw BadRequest("bytes are left over behind the last binary tensor");
  return inputs;
}

std::vector<RequestedOutput> parse_outputs(const dom::object& root, bool binary_by_default) {
  std::vector<RequestedOutput> outputs;
  const auto listed = optional_member<dom::array>(root, "outputs");
  if (!listed) return outputs;
  for (const dom::element element : *listed) {
    const auto object = object_of(element, "an output");
    outputs.push_back(
        {.name = std::string(member<std::string_view>(object, "name")),
         .binary = parameter<bool>(object, "binary_data").value_or(binary_by_default)});
  }
  return outputs;
}

}  // namespace

std::string_view InferBody::json() const {
  if (json_bytes.value_or(0) > bytes.size()) {
    throw BadRequest("Inference-Header-Content-Length is larger than the body");
  }
  return std::string_view(bytes).substr(0, json_bytes.value_or(bytes.size()));
}

std::string_view InferBody::raw() const {
  return std::string_view(bytes).substr(json().size());
}

InferRequest parse_infer_request(const InferBody& body) {
  const std::string_view json = body.json();
  dom::parser parser;
  dom::element document;
  if (const auto error = parser.parse(json.data(), json.size()).get(document)) {
    throw BadRequest(fmt::format("the body is no JSON: {}", simdjson::error_message(error)));
  }
  const auto root = object_of(document, "the body");
  InferRequest request;
  request.id = optional_member<std::string_view>(root, "id").value_or("");
  request.binary_by_default = parameter<bool>(root, "binary_data_output").value_or(false);
  request.inputs = parse_inputs(root, body);
  request.outputs = parse_outputs(root, request.binary_by_default);
  return request;
}

std::string parse_request_id(InferBody& body) {
  const std::size_t length =
      std::min(body.json_bytes.value_or(body.bytes.size()), body.bytes.size());
  body.bytes.reserve(body.bytes.size() + simdjson::SIMDJSON_PADDING);
  // Kept between requests: its buffers grow to the largest body and stay.
  thread_local simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  const simdjson::padded_string_view json(body.bytes.data(), length, body.bytes.capacity());
  if (parser.iterate(json).get(document) != simdjson::SUCCESS) return {};
  std::string_view id;
  if (document["id"].get(id) != simdjson::SUCCESS) return {};
  return std::string(id);
}

}  // namespace sluice::model_server
