#include "model_server/onnx_model.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "model_server/oip_response.h"

#if defined(__SANITIZE_ADDRESS__)
// ONNX Runtime never frees one string of its environment: 14 bytes a process, not ours to mend.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name that LeakSanitizer looks for
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libonnxruntime\n";
}
#endif

namespace sluice::model_server {
namespace {

// ONNX Runtime wants one of these for the process. What it would log as an error is a caller's
// wrong input, which that caller is told; a log that callers can fill helps nobody.
Ort::Env& environment() {
  static Ort::Env env(ORT_LOGGING_LEVEL_FATAL, "sluice");
  return env;
}

Ort::Session open_session(const std::string& path, int threads) {
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error(fmt::format("{}: no such model file", path));
  }
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(threads);
  options.SetInterOpNumThreads(1);
  try {
    return Ort::Session(environment(), path.c_str(), options);
  } catch (const Ort::Exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

std::optional<DataType> data_type_of(ONNXTensorElementDataType type) {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      return DataType::kUint8;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
      return DataType::kInt32;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
      return DataType::kInt64;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
      return DataType::kFp32;
    default:
      return std::nullopt;
  }
}

ONNXTensorElementDataType onnx_type_of(DataType type) {
  switch (type) {
    case DataType::kUint8:
      return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8;
    case DataType::kInt32:
      return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32;
    case DataType::kInt64:
      return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;
    case DataType::kFp32:
      return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
  }
  return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

TensorSpec spec_of(std::string name, const Ort::TypeInfo& type_info) {
  if (type_info.GetONNXType() != ONNX_TYPE_TENSOR) {
    throw std::runtime_error(fmt::format("tensor \"{}\" is no plain tensor", name));
  }
  const auto tensor = type_info.GetTensorTypeAndShapeInfo();
  const auto type = data_type_of(tensor.GetElementType());
  if (!type) {
    throw std::runtime_error(fmt::format("tensor \"{}\" is not FP32, INT64, INT32 or UINT8", name));
  }
  return {.name = std::move(name), .type = *type, .shape = tensor.GetShape()};
}

ModelInfo describe(std::string name, const std::string& path, Ort::Session& session) {
  ModelInfo info{.name = std::move(name), .platform = "onnxruntime_onnx"};
  Ort::AllocatorWithDefaultOptions allocator;
  try {
    for (std::size_t i = 0; i < session.GetInputCount(); ++i) {
      info.inputs.push_back(
          spec_of(session.GetInputNameAllocated(i, allocator).get(), session.GetInputTypeInfo(i)));
    }
    for (std::size_t i = 0; i < session.GetOutputCount(); ++i) {
      info.outputs.push_back(spec_of(session.GetOutputNameAllocated(i, allocator).get(),
                                     session.GetOutputTypeInfo(i)));
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
  info.memory_bytes = std::filesystem::file_size(path);
  return info;
}

bool fits(const Shape& shape, const Shape& wanted) {
  return std::equal(shape.begin(), shape.end(), wanted.begin(), wanted.end(),
                    [](auto given, auto want) { return want < 0 ? given > 0 : given == want; });
}

void check_fits(const Tensor& tensor, const TensorSpec& spec) {
  if (tensor.type == spec.type && fits(tensor.shape, spec.shape)) return;
  throw BadRequest(fmt::format("input \"{}\" is {} {}, the model takes {} {}", spec.name,
                               name_of(tensor.type), to_string(tensor.shape), name_of(spec.type),
                               to_string(spec.shape)));
}

Ort::Value view_of(Tensor& tensor) {
  static const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  return Ort::Value::CreateTensor(memory, tensor.data.data(), tensor.data.size(),
                                  tensor.shape.data(), tensor.shape.size(),
                                  onnx_type_of(tensor.type));
}

Tensor copy_of(const TensorSpec& spec, const Ort::Value& value) {
  const auto info = value.GetTensorTypeAndShapeInfo();
  Tensor tensor{.name = spec.name, .type = spec.type, .shape = info.GetShape()};
  const auto* first = static_cast<const std::byte*>(value.GetTensorRawData());
  tensor.data.assign(first, first + info.GetElementCount() * bytes_of(spec.type));
  return tensor;
}

std::vector<const char*> names_of(const std::vector<TensorSpec>& specs) {
  std::vector<const char*> names;
  names.reserve(specs.size());
  for (const TensorSpec& spec : specs) names.push_back(spec.name.c_str());
  return names;
}

// The outputs that the request wants, in its order.
std::vector<OutputTensor> chosen(std::vector<Tensor> outputs, const InferRequest& request) {
  std::vector<OutputTensor> answer;
  if (request.outputs.empty()) {
    for (Tensor& tensor : outputs) answer.push_back({std::move(tensor), request.binary_by_default});
    return answer;
  }
  for (const RequestedOutput& wanted : request.outputs) {
    // An output taken before is gone: it has no name any more.
    const auto found = std::ranges::find(outputs, wanted.name, &Tensor::name);
    if (found == outputs.end()) {
      throw BadRequest(fmt::format("output \"{}\" is unknown or asked for twice", wanted.name));
    }
    answer.push_back({std::move(*found), wanted.binary});
    found->name.clear();
  }
  return answer;
}

}  // namespace

std::vector<Tensor> matched_inputs(std::vector<Tensor> given,
                                   const std::vector<TensorSpec>& specs) {
  if (given.size() != specs.size()) {
    throw BadRequest(fmt::format("{} inputs, the model takes {}", given.size(), specs.size()));
  }
  std::vector<Tensor> matched;
  for (const TensorSpec& spec : specs) {
    const auto found = std::ranges::find(given, spec.name, &Tensor::name);
    if (found == given.end()) throw BadRequest(fmt::format("input \"{}\" is missing", spec.name));
    check_fits(*found, spec);
    matched.push_back(std::move(*found));
  }
  return matched;
}

OnnxModel::OnnxModel(std::string name, const std::string& path, int threads)
    : session_(open_session(path, threads)) {
  info_ = describe(std::move(name), path, session_);
}

Answer OnnxModel::infer(const InferBody& body) const {
  InferRequest request = parse_infer_request(body);
  std::vector<Tensor> inputs = matched_inputs(std::move(request.inputs), info_.inputs);
  return infer_answer(info_.name, request.id, chosen(run(inputs), request));
}

std::vector<Tensor> OnnxModel::run(std::vector<Tensor>& inputs) const {
  std::vector<Ort::Value> values;
  values.reserve(inputs.size());
  for (Tensor& tensor : inputs) values.push_back(view_of(tensor));
  const auto input_names = names_of(info_.inputs);
  const auto output_names = names_of(info_.outputs);
  std::vector<Tensor> outputs;
  try {
    const auto results = session_.Run(Ort::RunOptions(nullptr), input_names.data(), values.data(),
                                      values.size(), output_names.data(), output_names.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      outputs.push_back(copy_of(info_.outputs[i], results[i]));
    }
  } catch (const Ort::Exception& error) {
    // The file is sound, or it had not loaded: what is left is a shape that its layers refuse.
    throw BadRequest(fmt::format("the model cannot take these inputs: {}", error.what()));
  }
  return outputs;
}

}  // namespace sluice::model_server
