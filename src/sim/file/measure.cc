// measure, and what a scenario tells people only.
#include <string>
#include <vector>

#include "sim/file/kinds.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;
using Window = std::optional<std::array<Duration, 2>>;

void read_window(Fields& f, std::string_view key, Window& out, std::string_view text) {
  std::vector<Duration> ends;
  f.scalars(key, seconds_number(Duration::zero(), std::chrono::hours(24) * 366), ends, false, text);
  if (!f.has(key)) return;
  if (ends.size() != 2 || ends[0] >= ends[1]) {
    f.fail(key, "is no window; write [begin, end], begin before end");
  } else {
    out = {ends[0], ends[1]};
  }
}

void read_numbers(Fields& f) {
  for (const std::string& name : f.free_keys("<figure>")) {
    double figure = 0;
    f.required(name, config::number(-1e12, 1e12), figure, "As published; compared with by people");
  }
}

void read_published(Fields& f) {
  for (const std::string& name : f.free_keys("<name>")) {
    double figure = 0;
    f.scalar_or_map(name, config::number(-1e12, 1e12), figure, "A figure, or several",
                    read_numbers);
  }
}

}  // namespace

void read_measure(Fields& root, Scenario& out) {
  root.map("measure", "What is looked at beside the whole run", [&](Fields& f) {
    read_window(f, "window_s", out.window, "By arrival at the gateway: begin and end");
    read_window(f, "background_utilisation_window_s", out.background_window,
                "For the utilisation before something happens");
    for (const std::string& name : f.free_keys("<measure>")) {
      std::string how;
      f.required(name, config::text(), how, "A measure to report, and how it is defined");
      out.measures[name] = how;
    }
  });
}

void read_remarks(Fields& root) {
  root.map("definitions", "For people: how figures are measured", [](Fields& f) {
    for (const std::string& name : f.free_keys("<figure>")) {
      std::string how;
      f.required(name, config::text(), how, "How it is measured");
    }
  });
  root.map("published", "For people: figures from elsewhere", read_published);
  root.map("published_dynamic", "For people: figures from elsewhere", read_published);
}

}  // namespace sluice::sim
