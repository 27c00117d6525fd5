// A timed profile: how long a pretended inference takes, whether it fails, and its answer.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/random.h"
#include "base/time.h"
#include "model_server/answer.h"
#include "model_server/model_info.h"
#include "model_server/oip_request.h"
#include "model_server/options.h"

namespace sluice::model_server {

class TimedProfile {
 public:
  struct Draw {
    Duration service;
    bool fails = false;
  };

  TimedProfile(const TimedOptions& options, std::uint64_t seed);

  // The next inference's fate. The n-th draw depends on the seed and n alone.
  Draw draw();

 private:
  TimedOptions options_;
  Random random_;
};

ModelInfo timed_model_info(std::string_view name, const TimedOptions& options);

// Any body will do. The answer names its length and checksum, so that whoever compares answers
// also learns whether the request arrived unharmed; the same body always gets the same bytes.
Answer timed_answer(std::string_view model, InferBody& body);

}  // namespace sluice::model_server
