// Carries out the core's orders to load and to unload models at replicas (R18).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "config/serve_config.h"
#include "core/event.h"
#include "probe/http_client.h"

namespace sluice::gateway {

// Each order is a question to the replica's repository API, on a connection of its own, beside
// everything else that goes on. Its answer is told as the core wants it:
//
//   answered 2xx        it is done
//   any other answer,   it has not been done: the core leaves the replica alone for a while
//   or no connection
//   anything else       nobody knows: the replica may have died, or been restarted. It is asked to
//                       unload the model, once a second for the unload time-out; when it has, a
//                       load has failed, and an unload is done. Otherwise nothing is told: the
//                       core's own time-out comes, and asks for the model to be unloaded.
//
// The latest order for a model at a replica counts: one before it is given up, and not told of.
// O(orders under way) memory, at most one for each model of each managed replica.
class ModelOrders {
 public:
  // Told on the io_context's thread.
  using Tell = std::function<void(const core::Event&)>;

  // All must outlive this.
  ModelOrders(boost::asio::io_context& io, const config::ServeConfig& config, Tell tell);
  // As stop().
  ~ModelOrders();
  ModelOrders(const ModelOrders&) = delete;
  ModelOrders& operator=(const ModelOrders&) = delete;

  void load(core::NodeId node, core::ModelId model);
  void unload(core::NodeId node, core::ModelId model);

  // Gives up what is under way; nothing is told afterwards.
  void stop();

 private:
  using Place = std::pair<core::NodeId, core::ModelId>;
  struct Order;

  void begin(Place place, bool load);
  static boost::asio::awaitable<void> carry_out(std::shared_ptr<Order> order);
  static boost::asio::awaitable<bool> unload_for_sure(Order& order);
  void end(const Order& order, bool ok);

  boost::asio::io_context& io_;
  const config::ServeConfig& config_;
  Tell tell_;
  std::map<Place, std::shared_ptr<Order>> under_way_;
};

}  // namespace sluice::gateway
