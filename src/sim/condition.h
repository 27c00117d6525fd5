// How a node is at present: what the faults that hold it now add up to.
#pragma once

namespace sluice::sim {

struct Condition {
  bool crashed = false;  // refuses connections
  bool silent = false;   // swallows everything
  bool frozen = false;   // nothing moves
  bool cut_off = false;  // nothing passes between it and the gateway
  bool stale_metrics = false;
  bool lying_metrics = false;
  double slowness = 1;    // service times × this
  double lost_share = 0;  // of the answers

  bool down() const { return crashed || silent; }
  // Answers a health check.
  bool answers() const { return !down() && !frozen && !cut_off; }
};

}  // namespace sluice::sim
