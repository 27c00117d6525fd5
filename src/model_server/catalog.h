// The models that this server has, loaded.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include <prometheus/registry.h>

#include "model_server/metrics.h"
#include "model_server/model_info.h"
#include "model_server/onnx_model.h"
#include "model_server/options.h"
#include "model_server/timed_profile.h"

namespace sluice::model_server {

struct Model {
  ModelInfo info;
  std::variant<TimedProfile, OnnxModel> work;
  ModelMetrics metrics;
};

class Catalog {
 public:
  // Loads every model; throws std::runtime_error when one cannot be, or a name is unusable.
  Catalog(const Options& options, prometheus::Registry& registry);

  // nullptr for an unknown name. Pointers stay valid as long as the catalog.
  Model* find(std::string_view name);

  bool has_onnx_models() const;

  // The protocol's listing: [{"name":...,"version":...,"state":"READY","reason":""}].
  std::string index_json() const;

 private:
  void add(const ModelOptions& model, const Options& options, prometheus::Registry& registry);

  std::map<std::string, Model, std::less<>> models_;
};

}  // namespace sluice::model_server
