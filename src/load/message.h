// Requests as bytes: built once before the run, so that sending costs no more than the write.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "load/target.h"
#include "workload/mix.h"

namespace sluice::load {

// The body of an Open Inference Protocol request with one binary tensor: a JSON head of
// json_bytes, then the tensor as it lies in memory (little endian).
struct InferBody {
  std::string bytes;
  std::size_t json_bytes = 0;
};

// `size_bytes` bytes of UINT8, shape 1×N, as tensor "input".
InferBody bytes_body(std::size_t size_bytes);
// Throws std::runtime_error as image_tensor does.
InferBody image_body(const std::string& file, const workload::ImageInput& input);

// POST /v2/models/{model}/infer with the labels of the class.
std::string infer_message(const Target& target, const workload::RequestClass& request_class,
                          const InferBody& body);

// All messages of a class: one a file, or just one. Never empty. Throws as image_body.
std::vector<std::string> messages_of(const Target& target,
                                     const workload::RequestClass& request_class);

}  // namespace sluice::load
