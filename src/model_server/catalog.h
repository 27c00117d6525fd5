// The models that this server has, and which of them are loaded.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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

enum class LoadState : std::uint8_t { kUnavailable, kLoading, kReady };

struct Model {
  ModelInfo info;
  // Whoever runs it keeps it: it may be unloaded meanwhile.
  std::variant<TimedProfile, std::shared_ptr<const OnnxModel>> work;
  std::string file;  // that the model is in, if it is in one
  ModelMetrics metrics;
  LoadOptions loads;
  LoadState state = LoadState::kReady;

  void let_go() {
    state = LoadState::kUnavailable;
    if (auto* onnx = std::get_if<std::shared_ptr<const OnnxModel>>(&work)) onnx->reset();
  }
};

class Catalog {
 public:
  // Loads every model, if only to see that it can be; throws std::runtime_error when one cannot be,
  // when those that are to be there at first do not fit together, or a name is unusable.
  Catalog(const Options& options, prometheus::Registry& registry);

  // nullptr for an unknown name. Pointers stay valid as long as the catalog.
  Model* find(std::string_view name);

  bool has_onnx_models() const;

  // Of models that are loaded, or being loaded.
  std::uint64_t memory_in_use() const;

  // The protocol's listing: [{"name":...,"version":...,"state":"READY","reason":""}].
  std::string index_json() const;

 private:
  void add(const ModelOptions& model, const Options& options, prometheus::Registry& registry);

  std::map<std::string, Model, std::less<>> models_;
};

}  // namespace sluice::model_server
