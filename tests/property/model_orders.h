// The model's memories: what is loaded where, and which orders nobody has answered yet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "core/action.h"
#include "core/options.h"
#include "property/model_request.h"

namespace sluice::core {

class ModelOrders {
 public:
  // `options` must outlive it.
  explicit ModelOrders(const Options& options) : options_(options), loaded_(options.nodes.size()) {}

  struct Order {
    NodeId node;
    ModelId model;
    bool load;
    bool was_loaded = false;  // to be unloaded: before that
  };

  bool has_loaded(NodeId node, ModelId model) const {
    return !options_.nodes[node.value].manages(model) || loaded_[node.value].contains(model);
  }
  bool empty() const { return orders_.empty(); }

  void note(const LoadModel& load) {
    expect(options_.nodes[load.node.value].manages(load.model),
           "only what comes and goes is loaded");
    for (const Order& o : orders_) {
      expect(!o.load || o.model != load.model, "a model has one load at a time");
    }
    orders_.push_back({load.node, load.model, true});
  }
  void note(const UnloadModel& unload) {
    const auto asked_again = std::find_if(orders_.begin(), orders_.end(), [&](const Order& o) {
      return !o.load && o.node == unload.node && o.model == unload.model;
    });
    const bool was_loaded = loaded_[unload.node.value].erase(unload.model) > 0 ||
                            (asked_again != orders_.end() && asked_again->was_loaded);
    const Order order{unload.node, unload.model, false, was_loaded};
    forget(order);
    orders_.push_back(order);
  }

  // Takes an order out, with what follows from its answer.
  Order answer(std::size_t which, bool ok) {
    const Order order = orders_[which % orders_.size()];
    forget(order);
    if (order.load ? ok : !ok && order.was_loaded) loaded_[order.node.value].insert(order.model);
    return order;
  }
  void node_down(NodeId node) {
    loaded_[node.value].clear();
    std::erase_if(orders_, [&](const Order& o) { return o.node == node; });
  }

 private:
  void forget(const Order& order) {
    std::erase_if(orders_,
                  [&](const Order& o) { return o.node == order.node && o.model == order.model; });
  }

  const Options& options_;
  std::vector<std::set<ModelId>> loaded_;  // by node
  std::vector<Order> orders_;
};

}  // namespace sluice::core
