#include "gateway/model_orders.h"

#include <spdlog/spdlog.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "probe/repository.h"

namespace sluice::gateway {

namespace asio = boost::asio;

namespace {

constexpr Duration kAskAgain = std::chrono::seconds(1);

}  // namespace

// Shared with its coroutine, which may end when nobody waits for it any more.
struct ModelOrders::Order {
  Order(ModelOrders& gives, Place where, bool loads)
      : owner(&gives),
        place(where),
        load(loads),
        client(gives.io_, gives.config_.replicas[where.first.value].address) {}

  ModelOrders* owner;  // nullptr: it was given up
  Place place;
  bool load;
  probe::HttpClient client;

  const config::ReplicaAddress& address() const {
    return owner->config_.replicas[place.first.value];
  }
  const std::string& model() const { return owner->config_.core.models[place.second.value].name; }
  const std::string& replica() const { return owner->config_.core.nodes[place.first.value].name; }

  void give_up() {
    owner = nullptr;
    client.close();
  }
};

ModelOrders::ModelOrders(asio::io_context& io, const config::ServeConfig& config, Tell tell)
    : io_(io), config_(config), tell_(std::move(tell)) {}

ModelOrders::~ModelOrders() {
  stop();
}

void ModelOrders::load(core::NodeId node, core::ModelId model) {
  begin({node, model}, true);
}

void ModelOrders::unload(core::NodeId node, core::ModelId model) {
  begin({node, model}, false);
}

void ModelOrders::stop() {
  for (const auto& [place, order] : under_way_) order->give_up();
  under_way_.clear();
}

void ModelOrders::begin(Place place, bool load) {
  auto order = std::make_shared<Order>(*this, place, load);
  std::shared_ptr<Order>& latest = under_way_[place];
  if (latest) latest->give_up();
  latest = order;
  asio::co_spawn(io_, carry_out(std::move(order)), asio::detached);
}

asio::awaitable<void> ModelOrders::carry_out(std::shared_ptr<Order> order) {
  if (order->owner == nullptr) co_return;
  const core::ResidencyOptions& limits = order->owner->config_.core.residency;
  const std::string& prefix = order->address().path_prefix;
  const auto question = order->load ? probe::load_question(prefix, order->model())
                                    : probe::unload_question(prefix, order->model());
  const auto answer = co_await order->client.ask(
      question, order->load ? limits.load_timeout : limits.unload_timeout);
  if (order->owner == nullptr) co_return;
  if (!answer.success()) {
    spdlog::warn("replica {} has not {} {}: {}", order->replica(),
                 order->load ? "loaded" : "unloaded", order->model(), probe::failure_of(answer));
  }
  if (answer.status != 0 || !answer.sent) {
    order->owner->end(*order, answer.success());
  } else if (co_await unload_for_sure(*order)) {
    order->owner->end(*order, !order->load);
  } else if (order->owner != nullptr) {
    order->owner->under_way_.erase(order->place);
  }
}

// Whether the replica has said in time that it is not there, and somebody still wants to know.
asio::awaitable<bool> ModelOrders::unload_for_sure(Order& order) {
  using std::chrono::steady_clock;
  const auto question = probe::unload_question(order.address().path_prefix, order.model());
  const auto until = steady_clock::now() + order.owner->config_.core.residency.unload_timeout;
  asio::steady_timer pause(order.owner->io_);
  while (order.owner != nullptr && steady_clock::now() < until) {
    const auto answer = co_await order.client.ask(question, until - steady_clock::now());
    if (answer.success()) co_return order.owner != nullptr;
    pause.expires_after(kAskAgain);
    boost::system::error_code ignored;
    co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  co_return false;
}

void ModelOrders::end(const Order& order, bool ok) {
  const auto [node, model] = order.place;
  if (order.load) {
    tell_(core::ModelLoaded{.node = node, .model = model, .ok = ok});
  } else {
    tell_(core::ModelUnloaded{.node = node, .model = model, .ok = ok});
  }
  under_way_.erase(order.place);
}

}  // namespace sluice::gateway
