// Brings models into memory and takes them out again: the protocol's repository extension.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/random.h"
#include "model_server/answer.h"
#include "model_server/catalog.h"
#include "model_server/options.h"

namespace sluice::model_server {

// On the event loop's thread; files of models are read on a thread of their own. What a model's
// options say of loads (time, failures) comes on top of what they really take.
class Loader {
 public:
  // From the event loop, once, never from within load().
  using Done = std::function<void(Answer)>;

  // All must outlive this. Reads ONNX files again when their models are loaded again.
  Loader(boost::asio::io_context& loop, Catalog& catalog, const Options& options);
  ~Loader();

  // 200 once it is loaded; at once when it is. 400 with a reason where it cannot be. Whoever asks
  // while it is being loaded shares that load.
  void load(Model& model, Done done);
  // What runs is finished; what waits for a slot is not. Ends a load that is under way, too.
  Answer unload(Model& model);

 private:
  struct Loading;

  bool fits(const Model& model) const;
  void begin(const std::shared_ptr<Loading>& loading);
  void read_file(const std::shared_ptr<Loading>& loading);
  void end(const std::shared_ptr<Loading>& loading, const std::optional<std::string>& failure);

  boost::asio::io_context& loop_;
  Catalog& catalog_;
  std::optional<std::uint64_t> memory_bytes_;
  int threads_;
  Random random_;
  std::map<Model*, std::shared_ptr<Loading>> under_way_;
  std::optional<boost::asio::thread_pool> reader_;  // when some model is in a file
};

}  // namespace sluice::model_server
