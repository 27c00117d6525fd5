// What a scenario means, as text that a test can compare.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/scenario.h"

namespace sluice::sim {

inline std::string text_of(const Arrivals& a) {
  std::string text =
      fmt::format("process {} cv {} modulation {} every {} cap {}", static_cast<int>(a.process),
                  a.cv, a.modulation.cv, a.modulation.interval.count(), a.modulation.cap);
  if (a.on_off) {
    text += fmt::format(" on {}*{} off {}*{} {}", a.on_off->on.count(), a.on_off->on_factor,
                        a.on_off->off.count(), a.on_off->off_factor,
                        static_cast<int>(a.on_off->lengths));
  }
  return text;
}

inline std::string text_of(const Stream& s) {
  std::string text = fmt::format("stream {} mix {} tenants {} {}\n", s.name, fmt::join(s.mix, " "),
                                 fmt::join(s.tenants, " "), text_of(s.arrivals));
  for (const auto& row : s.priority_weights)
    text += fmt::format("  levels {}\n", fmt::join(row, " "));
  for (const auto& p : s.phases) {
    text += fmt::format("  phase {} {} {}..{}\n", p.name, p.duration.count(), p.rate_from_rps,
                        p.rate_to_rps);
  }
  return text;
}

inline std::string text_of(const Fault& f) {
  return fmt::format("fault {} at {} until {} nodes {} factor {} share {} period {} step {}\n",
                     kFaultKindNames[static_cast<std::size_t>(f.kind)], f.at.count(),
                     f.until ? f.until->count() : -1, fmt::join(f.nodes, " "), f.factor, f.share,
                     f.period.count(), f.step.count());
}

inline std::string cluster_text(const Scenario& s) {
  std::string text;
  for (const auto& m : s.models)
    text += fmt::format("model {} {} {}\n", m.name, static_cast<int>(m.weight), m.memory_bytes);
  for (const auto& p : s.paths)
    text += fmt::format("path {} {} {}\n", p.name, p.least.count(), p.most.count());
  for (const auto& k : s.kinds)
    text += fmt::format("kind {} {} {} {}\n", k.name, k.slots, k.memory_bytes, k.path);
  for (const auto& n : s.nodes)
    text += fmt::format("node {} {} {}\n", n.name, n.kind, fmt::join(n.models, " "));
  text += fmt::format("service {} cv {}\n", static_cast<int>(s.service.distribution),
                      fmt::join(s.service.cv, " "));
  for (const auto& row : s.service.mean) {
    for (const auto& mean : row) text += fmt::format(" {}", mean ? mean->count() : -1);
    text += '\n';
  }
  return text;
}

inline std::string text_of(const Scenario& s) {
  std::string text = fmt::format("scenario {} seeds {} drain {} check {} bounds {}\n", s.name,
                                 fmt::join(s.seeds, " "), s.drain.count(), s.health_check.count(),
                                 fmt::join(s.queues.bound, " "));
  text += cluster_text(s);
  for (const auto& l : s.lanes) {
    text += fmt::format("lane {} {} {}\n", l.budget.count(), l.client_timeout.count(),
                        l.starved_after ? l.starved_after->count() : -1);
  }
  for (const auto& t : s.tenants) {
    text += fmt::format("tenant {} {} {} {}\n", t.name, static_cast<int>(t.tier),
                        t.limit ? t.limit->rate_rps : -1, t.limit ? t.limit->burst.count() : -1);
  }
  for (const auto& stream : s.streams) text += text_of(stream);
  for (const auto& fault : s.faults) text += text_of(fault);
  for (const auto& window : {s.window, s.background_window}) {
    if (window) text += fmt::format("window {} {}\n", (*window)[0].count(), (*window)[1].count());
  }
  for (const auto& [name, how] : s.measures) text += fmt::format("measure {}: {}\n", name, how);
  return text;
}

// FNV-1a, 64 bits.
inline std::uint64_t digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3ULL;
  return hash;
}

}  // namespace sluice::sim
