#include "core/placement/placement.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace sluice::core {

Placement::Placement(const Options& options, const Eligibility& eligibility, Flows& flows)
    : options_(options),
      eligibility_(eligibility),
      flows_(flows),
      is_open_(options.nodes.size()),
      memberships_(options.nodes.size()),
      classes_(eligibility.class_count()),
      estimates_(eligibility.replica_count()),
      turn_(options.models.size()),
      random_(options.seed) {
  for (const NodeOptions& node : options.nodes) nodes_.emplace_back(node);
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    const auto nodes = eligibility.nodes(ClassId{c});
    classes_[c].open.reserve(nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      memberships_[nodes[i].value].push_back({.klass = ClassId{c}, .position = i});
    }
  }
}

void Placement::report(NodeId node, bool ready, std::optional<Duration> round_trip) {
  Node& n = nodes_[node.value];
  const bool changed = n.ready() != ready;
  if (changed) count_ready(node, ready);
  n.report(ready, round_trip);
  refresh(node);
  // Who waits for this node has to think again, also when it is lost.
  if (!changed) return;
  for (const Membership& m : memberships_[node.value]) flows_.unpark_all(m.klass);
}

void Placement::begin(NodeId node, std::uint32_t attempt_slot, Attempt& attempt, TimePoint now) {
  nodes_[node.value].begin(attempt_slot, attempt, now);
  refresh(node);
}

std::optional<std::uint32_t> Placement::end(NodeId node, std::uint32_t attempt_slot) {
  const auto next = nodes_[node.value].end(attempt_slot);
  refresh(node);
  for (const Membership& m : memberships_[node.value]) flows_.unpark_some(m.klass);
  return next;
}

void Placement::learn(NodeId node, ModelId model, Duration service, std::uint64_t size_bytes,
                      TimePoint now) {
  estimates_[eligibility_.replica(model, node)].add(service, size_bytes, now,
                                                    options_.predictor.alpha);
  nodes_[node.value].learn(service);
  refresh(node);
}

void Placement::count_ready(NodeId node, bool ready) {
  const std::uint32_t slots = nodes_[node.value].slots();
  ready_slots_ = ready ? ready_slots_ + slots : ready_slots_ - slots;
  for (const Membership& m : memberships_[node.value]) {
    std::uint32_t& sum = classes_[m.klass.value].ready_slots;
    sum = ready ? sum + slots : sum - slots;
  }
}

void Placement::refresh(NodeId node) {
  const bool open = nodes_[node.value].open();
  if (open == (is_open_[node.value] != 0)) return;
  is_open_[node.value] = open;
  for (std::uint32_t m = 0; m < memberships_[node.value].size(); ++m) {
    if (open) {
      open_in(node, m);
    } else {
      close_in(node, m);
    }
  }
}

void Placement::open_in(NodeId node, std::uint32_t membership) {
  Membership& m = memberships_[node.value][membership];
  auto& open = classes_[m.klass.value].open;
  m.open = static_cast<std::uint32_t>(open.size());
  open.push_back({node, membership, m.position});
  if (open.size() == 1) flows_.set_active(m.klass, true);
}

void Placement::close_in(NodeId node, std::uint32_t membership) {
  Membership& m = memberships_[node.value][membership];
  auto& open = classes_[m.klass.value].open;
  const OpenNode last = open.back();
  open[m.open] = last;
  memberships_[last.node.value][last.membership].open = m.open;
  open.pop_back();
  m.open = kNowhere;
  if (open.empty()) flows_.set_active(m.klass, false);
}

bool Placement::down(ClassId klass) const {
  const auto nodes = eligibility_.nodes(klass);
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeId n) {
    return nodes_[n.value].reported() && !nodes_[n.value].ready();
  });
}

NodeId Placement::next_in_turn(ModelId model) {
  const auto candidates = eligibility_.candidates(model);
  if (candidates.empty()) return {};
  std::uint32_t& turn = turn_[model.value];
  for (std::size_t tried = 0; tried < candidates.size(); ++tried) {
    const NodeId node = candidates[turn++ % candidates.size()];
    if (nodes_[node.value].ready()) return node;
  }
  return candidates[turn++ % candidates.size()];
}

Prediction Placement::predict(const Task& task, ClassId klass, std::size_t position,
                              TimePoint now) const {
  const Node& node = nodes_[eligibility_.nodes(klass)[position].value];
  const ServiceEstimate& estimate = estimates_[eligibility_.replica(task.model, klass, position)];
  return {
      .until_slot = node.round_trip() + node.queueing(),
      .service = estimate.samples() > 0 ? estimate.predict(task.size_bytes) : task.prior_service,
      .trusted = estimate.trusted(now, options_.predictor)};
}

std::optional<Prediction> Placement::best_ready(const Task& task, ClassId klass, TimePoint now) {
  const Candidate best = first_ready(task, klass, now);
  return best.node.valid() ? std::optional(best.prediction) : std::nullopt;
}

Placement::Candidate Placement::first_ready(const Task& task, ClassId klass, TimePoint now) {
  const auto nodes = eligibility_.nodes(klass);
  const bool all = nodes.size() <= kExhaustive;
  Candidate best;
  for (std::size_t i = 0; i < (all ? nodes.size() : kSample); ++i) {
    const std::size_t position = all ? i : random_.below(static_cast<std::uint32_t>(nodes.size()));
    const NodeId node = nodes[position];
    if (!nodes_[node.value].ready()) continue;
    const Prediction prediction = predict(task, klass, position, now);
    if (!best.node.valid() || prediction.total() < best.prediction.total()) {
      best = {node, prediction};
    }
  }
  return best;
}

Placement::Candidate Placement::first_to_finish(const Task& task, ClassId klass, TimePoint now) {
  const auto& open = classes_[klass.value].open;
  const bool all = open.size() <= kExhaustive;
  Candidate best;
  for (std::size_t i = 0; i < (all ? open.size() : kSample); ++i) {
    const OpenNode& at = open[all ? i : random_.below(static_cast<std::uint32_t>(open.size()))];
    const Prediction prediction = predict(task, klass, at.position, now);
    const auto rank = std::pair(prediction.total(), at.node);
    if (!best.node.valid() || rank < std::pair(best.prediction.total(), best.node)) {
      best = {at.node, prediction};
    }
  }
  return best;
}

Choice Placement::choose(const Task& task, ClassId klass, TimePoint now, bool mind_deadline) {
  SLUICE_CHECK(open(klass), "a flow was served whose class has no credit");
  const auto late = [&](const Candidate& candidate) {
    return saturating_add(now, candidate.prediction.total()) > task.deadline;
  };
  const Candidate best = first_to_finish(task, klass, now);
  if (!mind_deadline || !late(best) || !best.prediction.trusted) {
    return {Verdict::kRun, best.node, best.prediction};
  }
  const Candidate any = first_ready(task, klass, now);
  if (!any.node.valid() || late(any)) return {Verdict::kHopeless, best.node, best.prediction};
  // A sample of many nodes may have missed a free one in time: nobody would end the wait for it.
  const bool free = nodes_[any.node.value].open();
  return {free ? Verdict::kRun : Verdict::kWait, any.node, any.prediction};
}

}  // namespace sluice::core
