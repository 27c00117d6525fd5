// What a model says about itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model_server/tensor.h"

namespace sluice::model_server {

struct ModelInfo {
  std::string name;
  std::string platform;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
  std::uint64_t memory_bytes = 0;  // while it is loaded
};

// The protocol's metadata object, with memory_bytes among its parameters.
std::string metadata_json(const ModelInfo& info);

}  // namespace sluice::model_server
