// The counters of a model, under Triton's names where it has them, so that what reads Triton reads
// this.
#pragma once

#include <string>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include "base/time.h"

namespace sluice::model_server {

// Why a request failed: Triton's values of the label `reason`.
enum class Failure { kRejected, kCanceled, kBackend, kOther };

// References into the registry, which must outlive this.
class ModelMetrics {
 public:
  ModelMetrics(prometheus::Registry& registry, const std::string& model);

  void waits() { pending_.Increment(); }
  void waits_no_more() { pending_.Decrement(); }
  // The three spans as Triton counts them: until started, inferring, from arrival to end.
  void succeeded(Duration queue, Duration infer, Duration request);
  void failed(Failure reason);
  // Somebody asks for the model to be loaded or unloaded, whatever becomes of that.
  void load_asked() { loads_asked_.Increment(); }
  void unload_asked() { unloads_asked_.Increment(); }

 private:
  prometheus::Counter& success_;
  prometheus::Counter* failures_[4];  // by Failure
  prometheus::Gauge& pending_;
  prometheus::Counter& queue_us_;
  prometheus::Counter& infer_us_;
  prometheus::Counter& request_us_;
  prometheus::Counter& loads_asked_;
  prometheus::Counter& unloads_asked_;
};

// The text that Prometheus scrapes.
std::string metrics_text(const prometheus::Registry& registry);

}  // namespace sluice::model_server
