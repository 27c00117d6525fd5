#include "model_server/metrics.h"

#include <array>
#include <chrono>

#include <prometheus/text_serializer.h>

#include "model_server/oip_response.h"

namespace sluice::model_server {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::Labels;

// Indexed by Failure.
constexpr std::array kReasons{"REJECTED", "CANCELED", "BACKEND", "OTHER"};

Labels labels_of(const std::string& model) {
  return {{"model", model}, {"version", std::string(kModelVersion)}};
}

Labels labels_of(const std::string& model, const char* name, const char* value) {
  Labels labels = labels_of(model);
  labels.emplace(name, value);
  return labels;
}

// The registry gives the same family for the same name, whichever model asks.
prometheus::Counter& counter(prometheus::Registry& registry, const char* name, const char* help,
                             const Labels& labels) {
  return BuildCounter().Name(name).Help(help).Register(registry).Add(labels);
}

prometheus::Counter& asked(prometheus::Registry& registry, const std::string& model,
                           const char* verb) {
  return counter(registry, "sluice_repository_requests_total",
                 "Requests to load and to unload the model", labels_of(model, "verb", verb));
}

double to_us(Duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

}  // namespace

ModelMetrics::ModelMetrics(prometheus::Registry& registry, const std::string& model)
    : success_(counter(registry, "nv_inference_request_success",
                       "Number of successful inference requests", labels_of(model))),
      pending_(BuildGauge()
                   .Name("nv_inference_pending_request_count")
                   .Help("Number of inference requests awaiting execution")
                   .Register(registry)
                   .Add(labels_of(model))),
      queue_us_(counter(registry, "nv_inference_queue_duration_us",
                        "Cumulative time inference requests waited for a slot", labels_of(model))),
      infer_us_(counter(registry, "nv_inference_compute_infer_duration_us",
                        "Cumulative time inference requests were computed", labels_of(model))),
      request_us_(counter(registry, "nv_inference_request_duration_us",
                          "Cumulative time of inference requests, from arrival to answer",
                          labels_of(model))),
      loads_asked_(asked(registry, model, "load")),
      unloads_asked_(asked(registry, model, "unload")) {
  for (std::size_t i = 0; i < kReasons.size(); ++i) {
    failures_[i] =
        &counter(registry, "nv_inference_request_failure", "Number of failed inference requests",
                 labels_of(model, "reason", kReasons[i]));
  }
}

void ModelMetrics::succeeded(Duration queue, Duration infer, Duration request) {
  success_.Increment();
  queue_us_.Increment(to_us(queue));
  infer_us_.Increment(to_us(infer));
  request_us_.Increment(to_us(request));
}

void ModelMetrics::failed(Failure reason) {
  failures_[static_cast<std::size_t>(reason)]->Increment();
}

std::string metrics_text(const prometheus::Registry& registry) {
  return prometheus::TextSerializer().Serialize(registry.Collect());
}

}  // namespace sluice::model_server
