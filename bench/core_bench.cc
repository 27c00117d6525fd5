// bench/core: what one cycle of the scheduler costs — a submit, the completion of the oldest
// attempt and the dispatch that follows — while 1k, 100k or 1M tasks wait. Depth is constant;
// models are drawn by Zipf(1), tenants and lanes uniformly; 1,000 nodes, ten of a model, eight
// slots each, all busy. Thread CPU time; the reference is one push and pop of a std::priority_queue
// of 100k entries in the same run.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
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
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}

namespace sluice {
namespace {

using namespace core;

constexpr std::uint32_t kModels = 100;
constexpr std::uint32_t kTenants = 1000;
constexpr std::uint32_t kNodesAModel = 10;
constexpr std::uint32_t kCredits = 8;
constexpr int kRounds = 9;

double cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

Options cluster_options(std::uint32_t depth) {
  Options options;
  options.task_types = {"image", "speech", "text"};
  for (std::uint32_t m = 0; m < kModels; ++m) {
    options.models.push_back({.name = "m" + std::to_string(m), .task_type = TaskTypeId{m % 3}});
    for (std::uint32_t n = 0; n < kNodesAModel; ++n) {
      options.nodes.push_back({.name = "n" + std::to_string(m * kNodesAModel + n),
                               .models = {ModelId{m}},
                               .slots = kCredits,
                               .credits = kCredits});
    }
  }
  options.tenants.clear();
  for (std::uint32_t t = 0; t < kTenants; ++t) {
    options.tenants.push_back({.name = "t" + std::to_string(t)});
  }
  for (auto& lane : options.lanes) {
    lane.capacity = depth + 16384;
    lane.capacity_bytes = std::uint64_t{1} << 40;
    lane.max_age = std::chrono::hours(24 * 365);
  }
  return options;
}

// The scheduler at constant depth. Deadlines are far away: nothing is refused and nothing expires,
// so every cycle does the same work.
class Cycle {
 public:
  explicit Cycle(std::uint32_t depth)
      : scheduler_(cluster_options(depth)), random_(42), depth_(depth), running_(kRing) {
    double sum = 0;
    for (std::uint32_t m = 0; m < kModels; ++m) cumulative_.push_back(sum += 1.0 / (m + 1));
    for (std::uint32_t n = 0; n < kModels * kNodesAModel; ++n) {
      handle(NodeReport{.node = NodeId{n}, .ready = true});
    }
    while (scheduler_.counters().waiting < depth_) submit();
    // As long as an attempt runs in the cycles that follow: times that rose from nothing would look
    // like replicas that become slower and slower, and open their breakers.
    now_ += std::chrono::microseconds(kModels * kNodesAModel * kCredits);
  }

  // One submit a cycle and, over the run, one completion and one dispatch: a completion that lets
  // nobody in (its model has nothing waiting) is followed by the next one.
  void run(std::uint32_t cycles) {
    for (std::uint32_t i = 0; i < cycles; ++i) {
      now_ += std::chrono::microseconds(1);
      submit();
      while (scheduler_.counters().waiting > depth_) finish_oldest();
    }
  }

  const Scheduler& scheduler() const { return scheduler_; }

 private:
  void submit() {
    Labels labels;
    labels.model = ModelId{zipf()};
    labels.tenant = TenantId{random_.below(kTenants)};
    labels.priority = static_cast<Priority>(random_.below(kPriorities));
    labels.budget = std::chrono::hours(24 * 30);
    labels.size_bytes = 1024 + random_.below(1024);
    handle(Submitted{.request = RequestId{0}, .labels = labels, .arrival = now_});
  }

  void finish_oldest() {
    const AttemptId oldest = running_[oldest_++ % kRing];
    handle(AttemptFinished{.attempt = oldest, .result = AttemptResult::kAnswered});
  }

  void handle(const Event& event) {
    actions_.clear();
    scheduler_.handle(event, now_, actions_);
    for (const Action& action : actions_) {
      if (const auto* dispatch = std::get_if<Dispatch>(&action)) {
        running_[newest_++ % kRing] = dispatch->attempt;
      }
    }
  }

  std::uint32_t zipf() {
    const double x = random_.uniform() * cumulative_.back();
    return static_cast<std::uint32_t>(std::lower_bound(cumulative_.begin(), cumulative_.end(), x) -
                                      cumulative_.begin());
  }

  // Room for every credit.
  static constexpr std::uint64_t kRing = 8192;
  static_assert(kRing >= kModels * kNodesAModel * kCredits);

  Scheduler scheduler_;
  Random random_;
  std::uint32_t depth_;
  TimePoint now_ = TimePoint(std::chrono::hours(1));
  ActionBuffer actions_;
  std::vector<double> cumulative_;
  std::vector<AttemptId> running_;
  std::uint64_t oldest_ = 0;
  std::uint64_t newest_ = 0;
};

double reference_ns() {
  std::priority_queue<std::pair<double, std::uint32_t>> queue;
  Random random(7);
  for (std::uint32_t i = 0; i < 100'000; ++i) queue.emplace(random.uniform(), i);
  constexpr int kOperations = 1'000'000;
  const double start = cpu_ns();
  for (int i = 0; i < kOperations; ++i) {
    queue.pop();
    queue.emplace(random.uniform(), static_cast<std::uint32_t>(i));
  }
  return (cpu_ns() - start) / kOperations;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Depth {
  std::string name;
  std::uint32_t tasks;
};

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  using namespace sluice;
  const std::uint32_t cycles =
      argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 1'000'000;
  const std::vector<Depth> depths{{"1k", 1'000}, {"100k", 100'000}, {"1M", 1'000'000}};

  std::vector<std::unique_ptr<Cycle>> benches;
  for (const Depth& depth : depths) {
    std::fprintf(stderr, "filling %s waiting tasks\n", depth.name.c_str());
    benches.push_back(std::make_unique<Cycle>(depth.tasks));
    benches.back()->run(cycles);  // warm
  }
  std::vector<std::vector<double>> ns(depths.size());
  std::vector<double> reference;
  std::uint64_t allocated = 0;
  for (int round = 0; round < kRounds; ++round) {
    reference.push_back(reference_ns());
    for (std::size_t d = 0; d < depths.size(); ++d) {
      const std::uint64_t before = allocations;
      const double start = cpu_ns();
      benches[d]->run(cycles);
      const double taken_ns = cpu_ns() - start;
      // Before the figure is kept, which allocates itself.
      allocated += allocations - before;
      ns[d].push_back(taken_ns / cycles);
    }
    std::fprintf(stderr,
                 "round %d of %d: 1k %.0f ns, 100k %.0f ns, 1M %.0f ns, reference %.0f ns\n",
                 round + 1, kRounds, ns[0].back(), ns[1].back(), ns[2].back(), reference.back());
  }
  for (const auto& bench : benches) bench->scheduler().check_invariants();

  nlohmann::json report;
  for (std::size_t d = 0; d < depths.size(); ++d)
    report["cycle_ns"][depths[d].name] = median(ns[d]);
  report["allocations_per_cycle"] =
      static_cast<double>(allocated) / (static_cast<double>(cycles) * kRounds * 3);
  report["reference_ns"] = median(reference);
  report["cycle_over_reference_100k"] = median(ns[1]) / median(reference);
  report["growth_1M_over_100k"] = median(ns[2]) / median(ns[1]);
  report["growth_1M_over_1k"] = median(ns[2]) / median(ns[0]);
  std::printf("%s\n", report.dump(2).c_str());
  if (argc > 1) std::ofstream(argv[1]) << report.dump(2) << "\n";
}
