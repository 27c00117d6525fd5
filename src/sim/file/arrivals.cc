// traffic.arrivals: how the gaps between requests are drawn.
#include <cmath>

#include "sim/file/kinds.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;
using std::chrono::hours;
using std::chrono::milliseconds;

// Beside the processes themselves, what modulated Poisson arrivals are also called.
enum class ProcessName : std::uint8_t { kConstant, kPoisson, kGamma, kPoissonModulated };
constexpr std::array<std::string_view, 4> kProcessNames{"constant", "poisson", "gamma",
                                                        "poisson_modulated"};
static_assert(kProcessNames[2] == kArrivalProcessNames[2]);

enum class Factors : std::uint8_t { kLognormal };
constexpr std::array<std::string_view, 1> kFactorNames{"lognormal"};

ArrivalProcess process_of(ProcessName name) {
  return name == ProcessName::kPoissonModulated ? ArrivalProcess::kPoisson
                                                : static_cast<ArrivalProcess>(name);
}

void read_modulation(Fields& f, Modulation& out) {
  Factors factors = Factors::kLognormal;
  double mean = 1;
  f.optional("distribution", config::one_of<Factors>(kFactorNames), factors, "Of the factor");
  f.optional("mean", config::number(1, 1), mean, "Of the factor; the phases say the rate");
  f.optional("cv", config::number(0, 10), out.cv, "Of the factor; 0: no modulation");
  f.optional("interval_s", seconds_number(milliseconds(10), hours(1)), out.interval,
             "A factor holds for so long");
  f.optional("cap", config::number(1, 1000), out.cap, "Largest factor");
}

void read_on_off(Fields& f, OnOff& out) {
  f.optional("on_s", seconds_number(milliseconds(1), hours(24)), out.on,
             "Mean length of the spells that are on");
  f.optional("off_s", seconds_number(milliseconds(1), hours(24)), out.off,
             "Mean length of the spells that are off");
  f.optional("on", config::number(0, 1000), out.on_factor, "Times the rate while on");
  f.optional("off", config::number(0, 1000), out.off_factor,
             "Times the rate while off; 1 with `on: 5` makes bursts");
  f.optional("lengths", config::one_of<SpellLengths>(kSpellLengthNames), out.lengths,
             "How lengths are drawn");
  if (out.on_factor == 0 && out.off_factor == 0) f.fail("on", "is 0, as off is: nothing arrives");
}

}  // namespace

void read_arrivals(Fields& map, Arrivals& out) {
  auto process = static_cast<ProcessName>(out.process);
  map.optional(
      "process", config::one_of<ProcessName>(kProcessNames), process,
      "How gaps are drawn: all equal, exponential, or Gamma; poisson_modulated is poisson");
  out.process = process_of(process);
  map.optional("cv", config::number(0.05, 20), out.cv,
               "Deviation over mean of the gaps; for gamma only: over 1 is burstier than poisson");
  if (map.has("cv") && out.process != ArrivalProcess::kGamma) {
    map.fail("cv", "is for process: gamma only");
  }
  map.map("modulation", "In every interval the rate is multiplied by one factor",
          [&](Fields& f) { read_modulation(f, out.modulation); });
  OnOff on_off = out.on_off.value_or(OnOff{});
  map.map("on_off", "The rate switches between two factors",
          [&](Fields& f) { read_on_off(f, on_off); });
  if (map.has("on_off")) out.on_off = on_off;
}

}  // namespace sluice::sim
