#include "model_server/loader.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace sluice::model_server {
namespace asio = boost::asio;

struct Loader::Loading {
  Loading(asio::io_context& loop, Model& loaded) : model(loaded), timer(loop) {}

  Model& model;
  asio::steady_timer timer;
  std::vector<Done> waiting;
  bool fails = false;
  bool over = false;
};

Loader::Loader(asio::io_context& loop, Catalog& catalog, const Options& options)
    : loop_(loop),
      catalog_(catalog),
      memory_bytes_(options.memory_bytes),
      threads_(options.threads),
      random_(~options.seed) {
  if (catalog.has_onnx_models()) reader_.emplace(1);
}

Loader::~Loader() = default;

void Loader::load(Model& model, Done done) {
  model.metrics.load_asked();
  const auto answer = [&](Answer given) {
    asio::post(loop_, [done = std::move(done), given = std::move(given)] { done(given); });
  };
  if (model.state == LoadState::kReady) return answer({.body = "{}"});
  if (const auto found = under_way_.find(&model); found != under_way_.end()) {
    found->second->waiting.push_back(std::move(done));
    return;
  }
  if (!fits(model)) {
    return answer(error_answer(
        400, fmt::format("failed to load \"{}\": not enough memory", model.info.name)));
  }
  const auto loading = std::make_shared<Loading>(loop_, model);
  loading->waiting.push_back(std::move(done));
  loading->fails = random_.uniform() < model.loads.failure_rate;
  under_way_.emplace(&model, loading);
  begin(loading);
}

bool Loader::fits(const Model& model) const {
  if (!memory_bytes_) return true;
  const std::uint64_t used = catalog_.memory_in_use();
  return used <= *memory_bytes_ && model.info.memory_bytes <= *memory_bytes_ - used;
}

void Loader::begin(const std::shared_ptr<Loading>& loading) {
  loading->model.state = LoadState::kLoading;
  loading->timer.expires_after(loading->model.loads.time);
  loading->timer.async_wait([this, loading](boost::system::error_code) {
    if (loading->over) return;
    if (loading->fails) return end(loading, "a drawn failure");
    if (std::holds_alternative<TimedProfile>(loading->model.work)) return end(loading, {});
    read_file(loading);
  });
}

void Loader::read_file(const std::shared_ptr<Loading>& loading) {
  // The guard keeps a loop that drains from ending before the model is there.
  auto work = asio::make_work_guard(loop_);
  asio::post(*reader_, [this, loading, name = loading->model.info.name, path = loading->model.file,
                        work = std::move(work)] {
    std::shared_ptr<const OnnxModel> model;
    std::optional<std::string> failure;
    try {
      model = std::make_shared<const OnnxModel>(name, path, threads_);
    } catch (const std::exception& error) {
      failure = error.what();
    }
    asio::post(loop_, [this, loading, model = std::move(model), failure = std::move(failure)] {
      if (loading->over) return;
      loading->model.work = model;
      end(loading, failure);
    });
  });
}

void Loader::end(const std::shared_ptr<Loading>& loading,
                 const std::optional<std::string>& failure) {
  Model& model = loading->model;
  loading->over = true;
  under_way_.erase(&model);
  model.state = failure ? LoadState::kUnavailable : LoadState::kReady;
  Answer answer{.body = "{}"};
  if (failure) {
    answer = error_answer(400, fmt::format("failed to load \"{}\": {}", model.info.name, *failure));
  }
  for (const Done& done : loading->waiting) done(answer);
}

Answer Loader::unload(Model& model) {
  model.metrics.unload_asked();
  if (const auto found = under_way_.find(&model); found != under_way_.end()) {
    const std::shared_ptr<Loading> loading = found->second;
    loading->timer.cancel();
    end(loading, "it was unloaded meanwhile");
  }
  model.let_go();
  return {.body = "{}"};
}

}  // namespace sluice::model_server
