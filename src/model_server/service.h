// What the server answers to everything but an inference, and who takes inferences.
#pragma once

#include <string_view>

#include <prometheus/registry.h>
#include <boost/asio/io_context.hpp>

#include "model_server/answer.h"
#include "model_server/catalog.h"
#include "model_server/loader.h"
#include "model_server/node.h"
#include "model_server/options.h"
#include "model_server/route.h"

namespace sluice::model_server {

class Service {
 public:
  // Loads the models (see Catalog).
  Service(boost::asio::io_context& loop, const Options& options);

  // For a GET of anything but an inference.
  Answer describe(const Route& route);

  // The model that the route names; nullptr when there is none, or not in that version.
  Model* model_of(const Route& route);

  Node& node() { return node_; }
  Loader& loader() { return loader_; }

  // Not ready any more: told to stop.
  void drain() { draining_ = true; }
  bool draining() const { return draining_; }

 private:
  prometheus::Registry registry_;
  Catalog catalog_;
  Loader loader_;
  Node node_;
  bool draining_ = false;
};

Answer unknown_model(const Route& route);
// For an inference with a model that is known.
Answer not_loaded(const Model& model);

}  // namespace sluice::model_server
