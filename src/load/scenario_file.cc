#include "load/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "config/reader.h"

namespace sluice::load {
namespace {

using config::Fields;
using std::chrono::hours;
using std::chrono::milliseconds;
using workload::kLaneNames;
using workload::kRealtimeNames;
using workload::Phase;
using workload::RequestClass;

constexpr double kMaxRate = 1e6;
constexpr std::uint64_t kMaxBodyBytes = std::uint64_t{64} << 20;

// What a document says, before it is put together.
struct Keys {
  std::string name = "load";
  std::uint64_t seed = 1;
  workload::Process process = workload::Process::kPoisson;
  std::vector<Phase> phases;
  std::vector<RequestClass> classes;
  Callers callers;
};

struct InputKeys {
  std::optional<std::uint64_t> bytes;
  workload::ImageInput image{.files = {}, .tensor = "x", .width = 224, .height = 224};
};

// Goes into a path and into a header as it is.
bool is_plain(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
  });
}

void read_plain(Fields& f, std::string_view key, std::string& out, bool is_required,
                std::string_view text) {
  if (is_required) {
    f.required(key, config::text(), out, text);
  } else {
    f.optional(key, config::text(), out, text);
  }
  if (!is_plain(out)) f.fail(key, "may have letters, digits and . _ - only");
}

void read_phase(Fields& f, Phase& phase) {
  phase.name = "steady";
  f.optional("name", config::text(), phase.name, "What the report calls it");
  f.required("duration", config::duration(milliseconds(1), hours(24)), phase.duration,
             "How long it lasts");
  f.required("rate", config::rate(0, kMaxRate), phase.rate_from_rps, "Requests a second");
  std::optional<double> rate_to;
  f.optional("to", config::rate(0, kMaxRate), rate_to, "Rate at its end; linear in between",
             "the rate it begins with");
  phase.rate_to_rps = rate_to.value_or(phase.rate_from_rps);
}

void read_image(Fields& f, workload::ImageInput& image) {
  f.scalars("images", config::text(), image.files, false,
            "PNG or JPEG files, of which each request takes one; become FP32 of 1×3×height×width");
  f.optional("tensor", config::text(), image.tensor, "The model's input");
  f.optional("width", config::count(1, 4096), image.width, "Pixels the model wants");
  f.optional("height", config::count(1, 4096), image.height, "Pixels the model wants");
  f.optional("normalise", config::one_of<workload::Normalisation>(workload::kNormalisationNames),
             image.normalisation, "half: to -1..1; imagenet: by ImageNet's means and deviations");
}

void read_input(Fields& f, workload::Input& input) {
  InputKeys keys;
  f.optional("bytes", config::bytes(1, kMaxBodyBytes), keys.bytes,
             "A tensor of so many bytes without meaning, for timed profiles");
  read_image(f, keys.image);
  if (f.has("bytes") && f.has("images")) f.fail("bytes", "stands beside images; keep one");
  if (keys.bytes) {
    input = workload::BytesInput{static_cast<std::size_t>(*keys.bytes)};
  } else if (!keys.image.files.empty()) {
    input = std::move(keys.image);
  }
}

// Position in a list of names → the name.
template <class Names>
void read_name(Fields& f, std::string_view key, const Names& names, std::optional<int>& position,
               std::string_view text, std::string_view absent) {
  f.optional(key, config::one_of<int>(names), position, text, absent);
}

void read_labels(Fields& f, RequestClass& c) {
  read_plain(f, "tenant", c.tenant, false, "Sent as x-sluice-tenant");
  std::optional<int> realtime;
  read_name(f, "realtime", kRealtimeNames, realtime, "Sent as x-sluice-realtime", "not sent");
  if (realtime) c.realtime = kRealtimeNames[static_cast<std::size_t>(*realtime)];
  f.optional("priority", config::count(0, 9), c.priority,
             "Sent as x-sluice-priority; smaller is more urgent", "not sent");
  std::optional<int> lane = realtime;
  read_name(f, "lane", kLaneNames, lane,
            "Where requests are counted whose answers do not say their lane", "by realtime");
  c.lane = kLaneNames[static_cast<std::size_t>(lane.value_or(1))];
}

void read_class(Fields& f, RequestClass& c) {
  c.input = workload::BytesInput{1024};
  f.required("model", config::text(), c.model, "The model that is asked");
  if (!is_plain(c.model)) f.fail("model", "may have letters, digits and . _ - only");
  std::optional<std::string> class_name;
  f.optional("name", config::text(), class_name, "What people call it", "the model's");
  c.name = class_name.value_or(c.model);
  f.optional("share", config::number(1e-6, 1e6), c.share,
             "Of all requests, relative to the other classes");
  f.required("budget", config::duration(milliseconds(1), hours(1)), c.budget,
             "Longest response time that counts as a hit; sent as x-sluice-budget-ms");
  read_labels(f, c);
  f.optional("starved_after", config::duration(milliseconds(1), hours(1)), c.starved_after,
             "A longer wait in the queue counts as starved");
  f.map("input", "What is sent: bytes or images; 1 KiB when absent",
        [&](Fields& map) { read_input(map, c.input); });
}

void read_callers(Fields& f, Callers& callers) {
  f.optional("timeout", config::duration(milliseconds(1), hours(1)), callers.timeout,
             "Then a caller gives up and closes its connection");
  f.optional("connections", config::count(1, 20'000), callers.connections,
             "At most so many at once");
  f.optional("when_busy", config::one_of<WhenBusy>(kWhenBusyNames), callers.when_busy,
             "What a request does that finds none free: wait, which counts as latency, or be "
             "dropped, for finding capacity");
  f.optional("leave", config::share(), callers.leave_share,
             "Share of callers that leave at a random moment within their budget");
}

void check_phases(const Fields& f, const std::vector<Phase>& phases) {
  std::set<std::string> names;
  double arrivals = 0;
  for (const Phase& phase : phases) {
    if (!names.insert(phase.name).second) {
      f.fail("phases", fmt::format("two phases are called \"{}\"; give each a name", phase.name));
    }
    arrivals += phase.expected_arrivals();
  }
  if (arrivals < 1) f.fail("phases", "send less than one request; raise a rate or a duration");
}

void read_all(Fields& f, Keys& keys) {
  f.optional("name", config::text(), keys.name, "What the report calls it");
  f.optional("seed", config::count(0, ~std::uint64_t{0}), keys.seed,
             "Of all that is drawn: the same seed sends the same requests at the same times");
  f.optional("arrivals", config::one_of<workload::Process>(workload::kProcessNames), keys.process,
             "How gaps between requests are drawn, at the phase's rate");
  f.list("phases", keys.phases, true, "One after another", read_phase);
  check_phases(f, keys.phases);
  f.list("classes", keys.classes, true, "Kinds of callers", read_class);
  f.map("callers", "How they behave", [&](Fields& map) { read_callers(map, keys.callers); });
}

Scenario scenario_of(const config::Document& document) {
  Keys keys;
  config::read_document(document, [&](Fields& f) { read_all(f, keys); });
  return {.name = std::move(keys.name),
          .seed = keys.seed,
          .process = keys.process,
          .curve = workload::RateCurve(std::move(keys.phases)),
          .classes = std::move(keys.classes),
          .callers = keys.callers};
}

}  // namespace

Scenario load_scenario(const std::string& path) {
  return scenario_of(config::load_document(path));
}

Scenario parse_scenario(const std::string& yaml, std::string file) {
  return scenario_of(config::parse_document(yaml, std::move(file)));
}

std::string scenario_reference() {
  Keys keys;
  return config::to_markdown(config::describe_document("A scenario of `sluice load`",
                                                       [&](Fields& f) { read_all(f, keys); }));
}

}  // namespace sluice::load
