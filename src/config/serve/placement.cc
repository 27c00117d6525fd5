#include <chrono>

#include "config/serve/sections.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

Kind<double> weight() {
  return number(0, 1000);
}

void read_task_weights(Fields& f, core::TaskWeights& out) {
  f.optional("latency", weight(), out.latency, "Time to spare");
  f.optional("resources", weight(), out.resources, "The score of the replica's node");
  f.optional("urgency", weight(), out.urgency, "Of the request's priority");
  f.optional("shift", weight(), out.shift,
             "What moves from latency to resources as the node fills; at most the smaller of both");
}

void read_node_weights(Fields& f, core::NodeWeights& out) {
  f.optional("utilisation", weight(), out.utilisation, "Free share of the device, as reported");
  f.optional("memory", weight(), out.memory, "Free share of its memory, as reported");
  f.optional("queue", weight(), out.queue, "Free share of its credits, as counted here");
}

void read_row(Fields& f, core::NodeWeightsRow& out) {
  f.optional("weight", or_word(one_of<core::WeightClass>(core::kWeightClassNames), "*"), out.weight,
             "Of the model");
  f.optional("device", or_word(name(), "*"), out.kind, "Of the replica");
  read_node_weights(f, out.weights);
}

void read_ages(Fields& f, core::FigureAges& out) {
  f.optional("fresh_for", duration(0s, 1h), out.fresh_for,
             "Reported figures count in full for so long");
  f.optional("unknown_after", duration(0s, 1h), out.unknown_after,
             "They fade, and are unknown after so long: neither idle nor busy");
  if (out.unknown_after < out.fresh_for) {
    f.fail(f.has("unknown_after") ? "unknown_after" : "fresh_for",
           "figures are unknown before they cease to be fresh");
  }
}

}  // namespace

void read_placement(Fields& root, core::PlacementOptions& out) {
  root.map("placement", "How nodes are scored, for placement \"score\" and for least_score",
           [&](Fields& f) {
             f.optional("top_k", count(1, core::PlacementOptions::kMostTop), out.top_k,
                        "One of so many of the best is drawn, by score; more than 1 where several "
                        "schedulers share replicas");
             f.optional("throttle", number(0, 1000), out.throttle,
                        "Between two samples of its figures, a node is given at most so many times "
                        "what they left free, as long as another has room");
             f.optional("least_score", share(), out.least_score,
                        "A request waits, or goes elsewhere, rather than to a node that scores "
                        "less, whatever the placement; 0: off");
             read_ages(f, out.ages);
             f.map("task_weights", "What the score of a request on a node is made of",
                   [&](Fields& weights) { read_task_weights(weights, out.task); });
             f.map("node_weights", "What the score of a node is made of",
                   [&](Fields& weights) { read_node_weights(weights, out.node); });
             f.list("node_weights_for", out.node_rows, false,
                    "The same for some models and devices, later ones over earlier ones", read_row);
           });
}

}  // namespace sluice::config
