// A model in a file, run by ONNX Runtime.
#pragma once

#include <string>
#include <vector>

#include <onnxruntime_cxx_api.h>

#include "model_server/answer.h"
#include "model_server/model_info.h"
#include "model_server/oip_request.h"

namespace sluice::model_server {

class OnnxModel {
 public:
  // Loads the model; `threads` is what one inference may use. Throws std::runtime_error that names
  // the file when it cannot be loaded or has tensors of a type that DataType lacks.
  OnnxModel(std::string name, const std::string& path, int threads);

  const ModelInfo& info() const { return info_; }

  // Reads the request, runs the model, writes the answer. Throws BadRequest when the request does
  // not fit the model. Safe to call from several threads at once.
  Answer infer(const InferBody& body) const;

 private:
  // One tensor an output, in info().outputs' order.
  std::vector<Tensor> run(std::vector<Tensor>& inputs) const;

  ModelInfo info_;
  mutable Ort::Session session_;  // Run() is safe from many threads, though not const
};

// The inputs in the order of `specs`; throws BadRequest when they are not those.
std::vector<Tensor> matched_inputs(std::vector<Tensor> given, const std::vector<TensorSpec>& specs);

}  // namespace sluice::model_server
