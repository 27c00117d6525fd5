// Numbers with units, as people write them: "100ms", "500/s", "40%", "8GiB", "3.4M".
//
// Every parser takes the whole text, with or without a space before the unit, and returns nothing
// for what is malformed, negative, not finite or too large for its type. Every formatter writes
// the shortest text that the parser reads back to the same value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace sluice::config {

// ns, us, ms, s, min, h. A bare 0 needs no unit.
std::optional<Duration> parse_duration(std::string_view text);
std::string format_duration(Duration value);

// Events per second: "500/s", "30/min", "10/h".
std::optional<double> parse_rate(std::string_view text);
std::string format_rate(double per_second);

// "40%" or 0.4, both 0.4. Not limited to 1.
std::optional<double> parse_share(std::string_view text);
std::string format_share(double share);

// KiB, MiB, GiB, TiB, kB, MB, GB, TB, B or nothing.
std::optional<std::uint64_t> parse_bytes(std::string_view text);
std::string format_bytes(std::uint64_t bytes);

// Whole numbers; k, M and G (or B) are thousands, millions and thousand millions: "3.4M".
std::optional<std::uint64_t> parse_count(std::string_view text);
std::string format_count(std::uint64_t count);

// A plain decimal number, sign allowed: "0.5", "-3", "1e6".
std::optional<double> parse_number(std::string_view text);
std::string format_number(double value);

}  // namespace sluice::config
