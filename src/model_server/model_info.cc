#include "model_server/model_info.h"

#include <nlohmann/json.hpp>

#include "model_server/oip_response.h"

namespace sluice::model_server {
namespace {

using Json = nlohmann::ordered_json;

Json specs_json(const std::vector<TensorSpec>& specs) {
  Json array = Json::array();
  for (const TensorSpec& spec : specs) {
    array.push_back({{"name", spec.name}, {"datatype", name_of(spec.type)}, {"shape", spec.shape}});
  }
  return array;
}

}  // namespace

std::string metadata_json(const ModelInfo& info) {
  const Json json{{"name", info.name},
                  {"versions", {kModelVersion}},
                  {"platform", info.platform},
                  {"inputs", specs_json(info.inputs)},
                  {"outputs", specs_json(info.outputs)},
                  {"parameters", {{"memory_bytes", info.memory_bytes}}}};
  return json.dump();
}

}  // namespace sluice::model_server
