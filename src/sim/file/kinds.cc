#include "sim/file/kinds.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "config/units.h"

namespace sluice::sim {
namespace {

constexpr double kBytesPerGb = 1e9;

// Anything longer is out of every bound, and would not fit.
constexpr double kLongestNs = 9e18;

config::Kind<Duration> scaled(const std::string& unit, double ns, Duration least, Duration most) {
  const auto format = [ns](const Duration& value) {
    return config::format_number(static_cast<double>(value.count()) / ns);
  };
  return {
      .name = "a number of " + unit,
      .example = "it without a unit, which is in the key",
      .bounds = format(least) + " to " + format(most),
      .parse = [ns](std::string_view text) -> std::optional<Duration> {
        const auto number = config::parse_number(text);
        if (!number || std::abs(*number * ns) > kLongestNs) return std::nullopt;
        return Duration(std::llround(*number * ns));
      },
      .within = [least, most](const Duration& value) { return least <= value && value <= most; },
      .format = format};
}

}  // namespace

config::Kind<Duration> seconds_number(Duration least, Duration most) {
  return scaled("seconds", 1e9, least, most);
}

config::Kind<Duration> milliseconds_number(Duration least, Duration most) {
  return scaled("milliseconds", 1e6, least, most);
}

config::Kind<double> gigabytes(double least_gb, double most_gb) {
  config::Kind<double> kind = config::number(least_gb, most_gb);
  kind.name = "a number of GB";
  kind.parse = [](std::string_view text) -> std::optional<double> {
    const auto gb = config::parse_number(text);
    return gb ? std::optional(*gb * kBytesPerGb) : std::nullopt;
  };
  kind.within = [least_gb, most_gb](const double& bytes) {
    return least_gb * kBytesPerGb <= bytes && bytes <= most_gb * kBytesPerGb;
  };
  kind.format = [](const double& bytes) { return config::format_number(bytes / kBytesPerGb); };
  return kind;
}

}  // namespace sluice::sim
