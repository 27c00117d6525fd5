// What a model server is told to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"

namespace sluice::model_server {

// A model that is not there: it takes a drawn time and burns no CPU meanwhile.
struct TimedOptions {
  Duration mean = std::chrono::milliseconds(1);  // > 0
  double cv = 0.2;                               // standard deviation ÷ mean, ≥ 0
  std::uint64_t memory_bytes = 0;                // reported, and counted when it is loaded
  double failure_rate = 0;                       // share answered 500, in [0, 1]
};

// A model in a file, run by ONNX Runtime.
struct OnnxOptions {
  std::string path;
};

// How it comes into memory when the repository API asks for it.
struct LoadOptions {
  bool at_start = true;
  Duration time{0};         // that a load takes, beside reading a file; ≥ 0
  double failure_rate = 0;  // share of the loads that fail, in [0, 1]
};

struct ModelOptions {
  std::string name;
  std::variant<TimedOptions, OnnxOptions> work;
  LoadOptions loads;
};

// Where to listen: an IP address, without brackets. Port 0: any free one.
struct Endpoint {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8000;
};

struct Options {
  Endpoint listen;
  std::size_t slots = 1;                      // inferences at a time, over all models; ≥ 1
  std::size_t queue = 64;                     // inferences that may wait for a slot
  int threads = 1;                            // that ONNX Runtime may use within one inference
  std::uint64_t seed = 1;                     // of the drawn times and failures
  std::optional<std::uint64_t> memory_bytes;  // for models; absent: all of them fit
  std::vector<ModelOptions> models;

  std::size_t body_limit_bytes = 16 << 20;
  std::size_t connection_limit = 4096;
  Duration idle_limit = std::chrono::seconds(75);   // between requests, and for reading one
  Duration drain_limit = std::chrono::seconds(30);  // to finish what runs, once told to stop
};

}  // namespace sluice::model_server
