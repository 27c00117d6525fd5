// Reads the body of an inference request (Open Inference Protocol v2, REST), with tensors in
// JSON or in the binary tensor extension.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model_server/tensor.h"

namespace sluice::model_server {

// The request cannot be served as it is; what() tells the caller why (answered 400).
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RequestedOutput {
  std::string name;
  bool binary = false;
};

struct InferRequest {
  std::string id;  // empty: none given
  std::vector<Tensor> inputs;
  std::vector<RequestedOutput> outputs;  // empty: all that the model has
  bool binary_by_default = false;        // for outputs that are not listed
};

// The body as received. Where json_bytes is set (from Inference-Header-Content-Length), that
// many bytes are JSON and raw tensors follow; else all of it is JSON.
struct InferBody {
  std::string bytes;
  std::optional<std::size_t> json_bytes = std::nullopt;

  // The JSON part. json_bytes beyond the end throws BadRequest.
  std::string_view json() const;
  // What follows it.
  std::string_view raw() const;
};

// Throws BadRequest. Time and memory are linear in the body.
InferRequest parse_infer_request(const InferBody& body);

// The "id" member alone, without reading the tensors; empty when there is none or the body is
// no JSON. Reserves room behind the body's end, so it may move.
std::string parse_request_id(InferBody& body);

}  // namespace sluice::model_server
