// Filter, score, choose.
#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "core/placement/placement.h"
#include "core/placement/shortlist.h"
#include "core/placement/strategy.h"

namespace sluice::core {

Placement::Query Placement::query(const Task& task, ClassId klass, TimePoint now) const {
  const ClassState& state = classes_[klass.value];
  const bool heavy = is_heavy(task.model);
  const bool gives_way = task.lane != Lane::kHigh && adapts() && !reserves_.idle() &&
                         (!state.neighbours.empty() || reserved_from(heavy, klass));
  return {.task = task,
          .input = {task.size_bytes, task.prior_service},
          .klass = klass,
          .now = now,
          .nodes = eligibility_.nodes(klass),
          .first_replica = eligibility_.first_replica(task.model, klass),
          .watches_breakers = adapts() && faulty_ > 0,
          .gives_way = gives_way,
          .heavy = heavy,
          .has_standbys = !state.standbys.empty(),
          .several_paths = routes_.several(task.model),
          .minds_scores = options_.placement.least_score > 0,
          .managed = residency_.manages(task.model)};
}

std::uint32_t Placement::replica_at(const Query& query, std::size_t position) const {
  if (!query.first_replica) return eligibility_.replica(query.task.model, query.nodes[position]);
  return *query.first_replica + static_cast<std::uint32_t>(position);
}

// Nothing when the model is not loaded there, or the replica's breaker is open.
Placement::Candidate Placement::look_at(const Query& query, std::size_t position) const {
  const Task& task = query.task;
  const NodeId id = query.nodes[position];
  const std::uint32_t replica = replica_at(query, position);
  if (query.managed && !residency_.is_usable(replica)) return {};
  if (query.watches_breakers && !breakers_[replica].admits(query.now)) return {};
  const Node& node = nodes_[id.value];
  const ServicePrediction predicted = predictor_.predict(replica, query.input, query.now);
  // Field by field: a whole that is put together elsewhere and copied is waited for.
  Candidate found;
  found.node = id;
  found.prediction.until_slot = node.round_trip() + node.queueing();
  found.prediction.service = predicted.mean;
  found.prediction.p95 = predicted.p95;
  found.prediction.trusted = predicted.trusted;
  found.low = query.minds_scores && scores_too_little(task, id, query.now);
  found.tried = task.has_tried(id);
  found.spared = query.has_standbys && on_call(id, query.klass);
  found.kept = found.low || (query.gives_way && !leaves_to(query, id, predicted));
  if (query.several_paths) place_on_path(found, task, query.now);
  return found;
}

void Placement::place_on_path(Candidate& found, const Task& task, TimePoint now) const {
  constexpr std::uint8_t kLate = 128;
  const Routes::Rank rank = routes_.rank(task, found.node);
  const bool late =
      found.prediction.trusted && saturating_add(now, found.prediction.total()) > task.deadline;
  found.behind = static_cast<std::uint8_t>(rank.order + (late ? kLate : 0));
  found.spared = found.spared || rank.barred;
}

bool Placement::sooner(const Candidate& a, const Candidate& b) {
  if (!a.node.valid() || !b.node.valid()) return a.node.valid();
  if (a.standing() != b.standing()) return a.standing() < b.standing();
  const Duration of_a = a.prediction.total();
  const Duration of_b = b.prediction.total();
  return of_a != of_b ? of_a < of_b : a.node < b.node;
}

// What looking at a node of the class will read: of several that are far away, all at once.
void Placement::ask_for(const Query& query, std::uint32_t position) const {
  prefetch(nodes_[query.nodes[position].value]);
  predictor_.prefetch(replica_at(query, position));
}

template <class Item, class Visit>
void Placement::visit(const Query& query, std::size_t count, std::vector<Item> Stratum::*list,
                      Visit visit) {
  const ClassState& state = classes_[query.klass.value];
  if (count <= kExhaustive) {
    for (const Stratum& stratum : state.strata) {
      for (const Item& item : stratum.*list) visit(item);
    }
    return;
  }
  const std::size_t of_each = std::max(kSampleOfAKind, kSample / state.strata.size());
  for (const Stratum& stratum : state.strata) {
    const std::vector<Item>& items = stratum.*list;
    if (items.size() <= of_each) {
      for (const Item& item : items) visit(item);
      continue;
    }
    std::array<const Item*, kSample> drawn{};
    for (std::size_t i = 0; i < of_each; ++i) {
      drawn[i] = &items[random_.below(static_cast<std::uint32_t>(items.size()))];
      ask_for(query, position_of(*drawn[i]));
    }
    for (std::size_t i = 0; i < of_each; ++i) visit(*drawn[i]);
  }
}

// All of them, or from a random one on until there are enough that `counts` counts.
template <class Counts, class Visit>
void Placement::visit_usable(const Query& query, Counts counts, Visit visit) {
  const auto usable = residency_.usable(query.task.model);
  const bool all = usable.size() <= kExhaustive;
  const std::size_t from = all ? 0 : random_.below(static_cast<std::uint32_t>(usable.size()));
  std::size_t left = all ? usable.size() : kSample;
  for (std::size_t i = 0; i < usable.size() && left > 0; ++i) {
    const NodeId node = residency_.node_of(usable[(from + i) % usable.size()]);
    const auto position = eligibility_.position(query.klass, node);
    if (!position || !counts(nodes_[node.value])) continue;
    visit(static_cast<std::uint32_t>(*position));
    --left;
  }
}

template <class Visit>
void Placement::visit_ready(const Query& query, Visit visit_position) {
  if (query.managed) {
    return visit_usable(
        query, [](const Node& node) { return node.ready(); }, visit_position);
  }
  visit(query, query.nodes.size(), &Stratum::positions, [&](std::uint32_t position) {
    if (nodes_[query.nodes[position].value].ready()) visit_position(position);
  });
}

std::optional<Prediction> Placement::best_ready(const Task& task, ClassId klass, TimePoint now) {
  const Candidate best = first_ready(query(task, klass, now));
  return best.node.valid() ? std::optional(best.prediction) : std::nullopt;
}

std::optional<Prediction> Placement::good_ready(const Task& task, ClassId klass, TimePoint now) {
  const Query query = this->query(task, klass, now);
  if (!query.by_time_alone()) return best_ready(task, klass, now);
  Favourite& favourite = favourites_[task.model.value];
  if (favourite.klass == klass && favourite.uses_left > 0) {
    --favourite.uses_left;
    const Candidate found = look_at(query, favourite.position);
    // Whoever is down, or was not measured of late, says nothing about the others.
    const bool good = nodes_[found.node.value].ready() && found.prediction.trusted;
    if (good) return found.prediction;
  }
  favourite.uses_left = 0;
  const std::size_t soonest = soonest_of(query);
  if (soonest == query.nodes.size()) return std::nullopt;
  favourite = {.klass = klass,
               .position = static_cast<std::uint32_t>(soonest),
               .uses_left = static_cast<std::uint32_t>(std::min(query.nodes.size(), kExhaustive))};
  return look_at(query, soonest).prediction;
}

// The whole of a candidate is looked at only where more than its time may decide.
Placement::Candidate Placement::first_ready(const Query& query) {
  if (query.by_time_alone()) {
    const std::size_t soonest = soonest_of(query);
    return soonest < query.nodes.size() ? look_at(query, soonest) : Candidate{};
  }
  Candidate best;
  visit_ready(query, [&](std::uint32_t position) {
    Candidate candidate = look_at(query, position);
    candidate.behind = 0;  // the soonest is asked for, on whatever path
    if (sooner(candidate, best)) best = candidate;
  });
  return best;
}

// Its position; as many as there are nodes when none is ready.
std::size_t Placement::soonest_of(const Query& query) {
  Duration least = Duration::max();
  std::size_t best = query.nodes.size();
  visit(query, query.nodes.size(), &Stratum::positions, [&](std::uint32_t position) {
    const Node& node = nodes_[query.nodes[position].value];
    if (!node.ready()) return;
    const Duration total =
        node.round_trip() + node.queueing() +
        predictor_.predict_mean(replica_at(query, position), query.input, query.now);
    if (total > least || (total == least && position > best)) return;
    least = total;
    best = position;
  });
  return best;
}

template <class Visit>
void Placement::visit_open(const Query& query, Visit visit_position) {
  if (query.managed) {
    return visit_usable(
        query, [](const Node& node) { return node.open(); }, visit_position);
  }
  const ClassState& state = classes_[query.klass.value];
  const bool all_alike = draws_blindly(options_.policy.placement);
  if (state.open_count <= kExhaustive || !all_alike) {
    return visit(query, state.open_count, &Stratum::open,
                 [&](const OpenNode& open) { visit_position(open.position); });
  }
  for (std::size_t i = 0; i < kSample; ++i) {
    std::size_t at = random_.below(state.open_count);
    auto stratum = state.strata.begin();
    for (; at >= stratum->open.size(); ++stratum) at -= stratum->open.size();
    visit_position(stratum->open[at].position);
  }
}

template <class Offer>
void Placement::offer_open(const Query& query, Offer offer) {
  visit_open(query, [&](std::uint32_t position) {
    Candidate candidate = look_at(query, position);
    if (!candidate.node.valid()) return;
    if (candidate.low) hold(candidate.node);
    withheld_ = withheld_ || (candidate.kept && !candidate.low);
    const bool usable = !candidate.kept && !candidate.spared;
    if (usable) rank(query.task, candidate, query.now);
    deliberation_.note(weigh(query, candidate));
    if (usable) offer(candidate);
  });
}

Placement::Candidate Placement::pick(const Query& query) {
  if (const std::size_t length = shortlist_length(); length > 1) {
    Shortlist<Candidate, kMostListed, decltype(&preferred)> best(length, &preferred);
    offer_open(query, [&](const Candidate& candidate) { best.offer(candidate); });
    return best.items().empty() ? last_resort(query) : pick_of(best.items());
  }
  Candidate best;
  offer_open(query, [&](const Candidate& candidate) {
    if (!best.node.valid() || preferred(candidate, best)) best = candidate;
  });
  return best.node.valid() ? best : last_resort(query);
}

Placement::Candidate Placement::last_resort(const Query& query) {
  if (!query.has_standbys && !query.several_paths) return {};
  if (!first_ready(query).spared) return {};
  Candidate best;
  visit_ready(query, [&](std::uint32_t position) {
    if (!nodes_[query.nodes[position].value].open()) return;
    const Candidate candidate = look_at(query, position);
    if (candidate.low) hold(candidate.node);
    if (candidate.spared && !candidate.kept && sooner(candidate, best)) best = candidate;
  });
  return best;
}

std::optional<Duration> Placement::soonest(const Task& task, ClassId klass, TimePoint now) {
  const Query query = this->query(task, klass, now);
  deliberation_.begin();
  std::optional<Duration> least;
  bool trusted = false;
  visit_ready(query, [&](std::uint32_t position) {
    Candidate candidate = look_at(query, position);
    if (!candidate.node.valid()) return;
    // As if nothing were before it.
    candidate.prediction.until_slot = nodes_[candidate.node.value].round_trip();
    const Duration alone = candidate.prediction.total();
    const Weighed weighed = weigh(query, candidate);
    deliberation_.note(weighed);
    if (least && *least <= alone) return;
    least = alone;
    trusted = candidate.prediction.trusted;
    deliberation_.decide_on(weighed);
  });
  return trusted ? least : std::nullopt;
}

bool Placement::in_time_without_one(const Task& task, ClassId klass, std::size_t position,
                                    TimePoint now) const {
  const Node& node = nodes_[eligibility_.nodes(klass)[position].value];
  if (!node.ready()) return false;
  const Candidate candidate = look_at(query(task, klass, now), position);
  if (!candidate.node.valid() || candidate.spared) return false;
  const Duration total =
      node.round_trip() + node.queueing_without_one() + candidate.prediction.service;
  return saturating_add(now, total) <= task.deadline;
}

Duration Placement::mean_queueing(ModelId model) const {
  const auto nodes = eligibility_.candidates(model);
  const std::size_t step = nodes.size() / kExhaustive + 1;
  Duration sum{0};
  std::int64_t ready = 0;
  for (std::size_t i = 0; i < nodes.size(); i += step) {
    const Node& node = nodes_[nodes[i].value];
    if (!node.ready()) continue;
    sum += node.queueing();
    ++ready;
  }
  return ready == 0 ? Duration::zero() : sum / ready;
}

Placement::Candidate Placement::probe_on(PathId path, const Query& query) {
  Candidate best;
  visit(query, classes_[query.klass.value].open_count, &Stratum::open, [&](const OpenNode& open) {
    if (routes_.path_of(open.node) != path) return;
    const Candidate candidate = look_at(query, open.position);
    if (!candidate.kept && !candidate.tried && sooner(candidate, best)) best = candidate;
  });
  return best;
}

Weighed Placement::weigh(const Query& query, const Candidate& candidate) const {
  std::uint8_t marks = 0;
  const auto mark = [&](bool is, Mark as) {
    marks = static_cast<std::uint8_t>(marks | (is ? static_cast<std::uint8_t>(as) : 0));
  };
  const Duration total = candidate.prediction.total();
  mark(saturating_add(query.now, total) > query.task.deadline, Mark::kLate);
  mark(candidate.flooded, Mark::kFlooded);
  mark(candidate.behind != 0, Mark::kOtherPath);
  mark(candidate.tried, Mark::kTried);
  mark(!candidate.ranked, Mark::kByTime);
  mark(candidate.spared, Mark::kSpared);
  mark(candidate.kept, Mark::kKept);
  mark(!nodes_[candidate.node.value].open(), Mark::kBusy);
  return {.node = candidate.node,
          .marks = marks,
          .trusted = candidate.prediction.trusted,
          .predicted = total,
          .cost = candidate.ranked ? candidate.cost : static_cast<double>(total.count())};
}

Choice Placement::decide(Verdict verdict, const Query& query, const Candidate& on) {
  const Weighed weighed = weigh(query, on);
  if (!on.ranked) deliberation_.note(weighed);
  deliberation_.decide_on(weighed);
  return {verdict, on.node, on.prediction};
}

Choice Placement::choose(const Task& task, ClassId klass, TimePoint now, bool mind_deadline) {
  SLUICE_CHECK(open(klass), "a flow was served whose class has no credit");
  deliberation_.begin();
  withheld_ = false;
  const Query query = this->query(task, klass, now);
  const auto late = [&](const Candidate& candidate) {
    return saturating_add(now, candidate.prediction.total()) > task.deadline;
  };
  if (const auto path = routes_.probe(task, now)) {
    const Candidate probe = probe_on(*path, query);
    const bool fit = probe.node.valid() && !(probe.prediction.trusted && late(probe));
    if (fit) return decide(Verdict::kRun, query, probe);
  }
  const Candidate best = pick(query);
  // Breakers are open, or what is free is kept for others: until one lets a probe through, or
  // there is more room.
  if (!best.node.valid()) {
    const bool away = residency_.manages(task.model) && !has_room(task.model, klass);
    return {.verdict = away ? Verdict::kAway : Verdict::kWait, .withheld = withheld_};
  }
  if (best.tried) {
    // A replica that fails at once has always room: what failed there would only fail again.
    const Candidate other = first_ready(query);
    if (other.node.valid() && !other.tried && !late(other)) return run_or_wait(query, other);
  }
  if (!mind_deadline || !late(best) || !best.prediction.trusted) {
    return decide(Verdict::kRun, query, best);
  }
  const Candidate any = first_ready(query);
  if (!any.node.valid() || late(any)) return decide(Verdict::kHopeless, query, best);
  return run_or_wait(query, any);
}

// A sample of many nodes may have missed a free one in time: nobody would end the wait for it.
Choice Placement::run_or_wait(const Query& query, const Candidate& found) {
  const bool open = nodes_[found.node.value].open();
  Choice choice = decide(open && !found.kept ? Verdict::kRun : Verdict::kWait, query, found);
  choice.withheld = open && found.kept && !found.low;
  return choice;
}

}  // namespace sluice::core
