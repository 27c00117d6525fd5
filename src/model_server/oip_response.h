// Writes the answer to an inference (Open Inference Protocol v2, REST).
#pragma once

#include <string_view>
#include <vector>

#include "model_server/answer.h"
#include "model_server/tensor.h"

namespace sluice::model_server {

// The one version that every model here has.
inline constexpr std::string_view kModelVersion = "1";

struct OutputTensor {
  Tensor tensor;
  bool binary = false;
};

// Status 200 with the outputs in their order. Those marked binary follow the JSON as raw bytes.
// An empty id is left out. Not-a-number and infinities, which JSON has not, are written null.
Answer infer_answer(std::string_view model, std::string_view id,
                    const std::vector<OutputTensor>& outputs);

}  // namespace sluice::model_server
