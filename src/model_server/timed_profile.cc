#include "model_server/timed_profile.h"

#include <cstring>
#include <functional>

#include "model_server/oip_response.h"

namespace sluice::model_server {
namespace {

constexpr std::string_view kOutputName = "body";

// Small enough to survive readers that keep JSON numbers as doubles.
std::int64_t checksum(std::string_view bytes) {
  return static_cast<std::int64_t>(std::hash<std::string_view>{}(bytes)&0xffffffffU);
}

}  // namespace

TimedProfile::TimedProfile(const TimedOptions& options, std::uint64_t seed)
    : options_(options), random_(seed) {}

TimedProfile::Draw TimedProfile::draw() {
  const double mean_ns = static_cast<double>(options_.mean.count());
  // Both are drawn each time, so that a failure rate changes no service time.
  const auto service = Duration(static_cast<std::int64_t>(random_.lognormal(mean_ns, options_.cv)));
  return {.service = service, .fails = random_.uniform() < options_.failure_rate};
}

ModelInfo timed_model_info(std::string_view name, const TimedOptions& options) {
  return {.name = std::string(name),
          .platform = "sluice_timed",
          .inputs = {{.name = "any", .type = DataType::kUint8, .shape = {-1}}},
          .outputs = {{.name = std::string(kOutputName), .type = DataType::kInt64, .shape = {2}}},
          .memory_bytes = options.memory_bytes};
}

Answer timed_answer(std::string_view model, InferBody& body) {
  const std::int64_t values[] = {static_cast<std::int64_t>(body.bytes.size()),
                                 checksum(body.bytes)};
  Tensor tensor{.name = std::string(kOutputName), .type = DataType::kInt64, .shape = {2}};
  tensor.data.resize(sizeof(values));
  std::memcpy(tensor.data.data(), values, sizeof(values));
  return infer_answer(model, parse_request_id(body), {{.tensor = std::move(tensor)}});
}

}  // namespace sluice::model_server
