// bench/core: what one cycle of the scheduler costs — a submit, the completion of the oldest
// attempt and the dispatch that follows — while 1k, 100k or 1M tasks wait. Depth is constant;
// models are drawn by Zipf(1), tenants and lanes uniformly; 1,000 nodes, ten of a model, eight
// slots each, all busy. Thread CPU time; the reference is one pop and push of a std::priority_queue
// of 100k entries in the same run. Beside it, what must cost nothing: 10,000 tenants and 1,000
// models that are idle; and 10,000 replicas of one model against 100.
#include <time.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <queue>
#include <string>
#include <vector>

#include "base/random.h"
#include "core/scheduler.h"

namespace {

std::uint64_t allocations = 0;

}  // namespace

// Counted here, so that "no allocation in steady state" is a figure and not a hope. Not inlined:
// the compiler would see a free() of what `operator new` gave, and take it for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto line = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(line, (size + line - 1) / line * line)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}

namespace sluice {
namespace {

using namespace core;

constexpr std::uint32_t kCredits = 8;
constexpr int kRounds = 9;
// An attempt, however many of them run beside it: stages differ in nothing but what they vary.
constexpr Duration kService = std::chrono::milliseconds(8);

// Who takes part, and who only exists.
struct Stage {
  std::string name;
  std::uint32_t depth = 0;  // tasks that wait
  std::uint32_t models = 100;
  std::uint32_t tenants = 1000;
  std::uint32_t nodes_a_model = 10;
  std::uint32_t idle_models_a_model = 0;  // on the same nodes
  std::uint32_t idle_tenants = 0;

  // One of the depths that are compared with each other, and not a special case.
  bool is_depth() const { return models == 100 && idle_tenants == 0; }
  std::uint32_t nodes() const { return models * nodes_a_model; }
  std::uint32_t credits() const { return nodes() * kCredits; }
};

double cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

std::vector<ModelId> hosted_by(std::uint32_t model, const Stage& stage) {
  std::vector<ModelId> models{{model}};
  for (std::uint32_t i = 0; i < stage.idle_models_a_model; ++i) {
    models.push_back({stage.models + model * stage.idle_models_a_model + i});
  }
  return models;
}

Options cluster_options(const Stage& stage) {
  Options options;
  options.task_types = {"image", "speech", "text"};
  const std::uint32_t models = stage.models * (1 + stage.idle_models_a_model);
  for (std::uint32_t m = 0; m < models; ++m) {
    options.models.push_back({.name = "m" + std::to_string(m), .task_type = TaskTypeId{m % 3}});
  }
  for (std::uint32_t n = 0; n < stage.nodes(); ++n) {
    options.nodes.push_back({.name = "n" + std::to_string(n),
                             .models = hosted_by(n / stage.nodes_a_model, stage),
                             .slots = kCredits,
                             .credits = kCredits});
  }
  options.tenants.clear();
  for (std::uint32_t t = 0; t < stage.tenants + stage.idle_tenants; ++t) {
    options.tenants.push_back({.name = "t" + std::to_string(t)});
  }
  for (auto& lane : options.lanes) {
    lane.capacity = stage.depth + 16384 + stage.credits();
    lane.capacity_bytes = std::uint64_t{1} << 40;
    lane.max_age = std::chrono::hours(24 * 365);
  }
  return options;
}

// The scheduler at constant depth. Deadlines are far away: nothing is refused and nothing expires,
// so every cycle does the same work.
class Cycle {
 public:
  explicit Cycle(const Stage& stage)
      : stage_(stage),
        scheduler_(cluster_options(stage)),
        random_(42),
        running_(std::bit_ceil(stage.credits())) {
    actions_.reserve(1024);  // as drivers keep theirs
    double sum = 0;
    for (std::uint32_t m = 0; m < stage_.models; ++m) cumulative_.push_back(sum += 1.0 / (m + 1));
    for (std::uint32_t n = 0; n < stage_.nodes(); ++n) {
      handle(NodeReport{.node = NodeId{n}, .ready = true});
    }
    while (scheduler_.counters().waiting < stage_.depth) submit();
    // As long as an attempt runs in the cycles that follow: times that rose from nothing would look
    // like replicas that become slower and slower, and open their breakers.
    now_ += kService;
  }

  // One submit a cycle and, over the run, one completion and one dispatch: a completion that lets
  // nobody in (its model has nothing waiting) is followed by the next one.
  void run(std::uint32_t cycles) {
    for (std::uint32_t i = 0; i < cycles; ++i) {
      now_ += kService / stage_.credits();
      submit();
      while (scheduler_.counters().waiting > stage_.depth) finish_oldest();
    }
  }

  const Scheduler& scheduler() const { return scheduler_; }

 private:
  void submit() {
    Labels labels;
    labels.model = ModelId{zipf()};
    labels.tenant = TenantId{random_.below(stage_.tenants)};
    labels.priority = static_cast<Priority>(random_.below(kPriorities));
    labels.budget = std::chrono::hours(24 * 30);
    labels.size_bytes = 1024 + random_.below(1024);
    handle(Submitted{.request = RequestId{0}, .labels = labels, .arrival = now_});
  }

  void finish_oldest() {
    const AttemptId oldest = running_[oldest_++ % running_.size()];
    handle(AttemptFinished{.attempt = oldest, .result = AttemptResult::kAnswered});
  }

  void handle(const Event& event) {
    actions_.clear();
    scheduler_.handle(event, now_, actions_);
    for (const Action& action : actions_) {
      if (const auto* dispatch = std::get_if<Dispatch>(&action)) {
        running_[newest_++ % running_.size()] = dispatch->attempt;
      }
    }
  }

  std::uint32_t zipf() {
    const double x = random_.uniform() * cumulative_.back();
    return static_cast<std::uint32_t>(std::lower_bound(cumulative_.begin(), cumulative_.end(), x) -
                                      cumulative_.begin());
  }

  Stage stage_;
  Scheduler scheduler_;
  Random random_;
  TimePoint now_ = TimePoint(std::chrono::hours(1));
  ActionBuffer actions_;
  std::vector<double> cumulative_;
  std::vector<AttemptId> running_;  // a ring with room for every credit
  std::uint64_t oldest_ = 0;
  std::uint64_t newest_ = 0;
};

// The hold model (Jones 1986): the first leaves, and comes back a random time later, so that the
// queue stays what it was. Pushed without regard to what was popped, nearly every key soon is the
// greatest of all, and comes straight back: that costs half as much, and happens to nobody.
double reference_ns() {
  std::priority_queue<std::pair<double, std::uint32_t>> queue;
  Random random(7);
  for (std::uint32_t i = 0; i < 100'000; ++i) queue.emplace(random.uniform(), i);
  const auto hold = [&](std::uint32_t operations) {
    for (std::uint32_t i = 0; i < operations; ++i) {
      const double first = queue.top().first;
      queue.pop();
      queue.emplace(first - random.uniform(), i);
    }
  };
  constexpr std::uint32_t kOperations = 1'000'000;
  hold(kOperations);  // warm
  const double start = cpu_ns();
  hold(kOperations);
  return (cpu_ns() - start) / kOperations;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<Stage> stages() {
  return {
      {.name = "1k", .depth = 1'000},
      {.name = "100k", .depth = 100'000},
      {.name = "1M", .depth = 1'000'000},
      {.name = "1k with idle", .depth = 1'000, .idle_models_a_model = 10, .idle_tenants = 10'000},
      {.name = "100 replicas", .depth = 1'000, .models = 1, .nodes_a_model = 100},
      {.name = "10k replicas", .depth = 1'000, .models = 1, .nodes_a_model = 10'000}};
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  using namespace sluice;
  const std::uint32_t cycles =
      argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 1'000'000;
  const std::vector<Stage> all = stages();

  std::vector<std::unique_ptr<Cycle>> benches;
  for (const Stage& stage : all) {
    std::fprintf(stderr, "filling %s\n", stage.name.c_str());
    benches.push_back(std::make_unique<Cycle>(stage));
    benches.back()->run(cycles);  // warm
  }
  std::map<std::string, std::vector<double>> ns;
  std::vector<double> reference;
  std::uint64_t allocated = 0;
  for (int round = 0; round < kRounds; ++round) {
    reference.push_back(reference_ns());
    std::fprintf(stderr, "round %d of %d: reference %.0f ns", round + 1, kRounds, reference.back());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::uint64_t before = allocations;
      const double start = cpu_ns();
      benches[i]->run(cycles);
      const double taken_ns = cpu_ns() - start;
      // Before the figure is kept, which allocates itself.
      allocated += allocations - before;
      ns[all[i].name].push_back(taken_ns / cycles);
      std::fprintf(stderr, ", %s %.0f ns", all[i].name.c_str(), taken_ns / cycles);
    }
    std::fprintf(stderr, "\n");
  }
  for (const auto& bench : benches) bench->scheduler().check_invariants();

  nlohmann::json report;
  for (const Stage& stage : all) {
    report[stage.is_depth() ? "cycle_ns" : "cycle_at_scale_ns"][stage.name] =
        median(ns[stage.name]);
  }
  const auto over = [&](const char* a, const char* b) { return median(ns[a]) / median(ns[b]); };
  report["allocations_per_cycle"] =
      static_cast<double>(allocated) / (static_cast<double>(cycles) * kRounds * all.size());
  report["reference_ns"] = median(reference);
  report["cycle_over_reference_100k"] = median(ns["100k"]) / median(reference);
  report["growth_1M_over_100k"] = over("1M", "100k");
  report["growth_1M_over_1k"] = over("1M", "1k");
  report["idle_tenants_and_models_over_none"] = over("1k with idle", "1k");
  report["replicas_10k_over_100"] = over("10k replicas", "100 replicas");
  std::printf("%s\n", report.dump(2).c_str());
  if (argc > 1) std::ofstream(argv[1]) << report.dump(2) << "\n";
}
