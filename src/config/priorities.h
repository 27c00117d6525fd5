// Ranges of priorities, as people write them: "0..4", or "3" for one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/kind.h"
#include "core/labels.h"

namespace sluice::config {

// Nothing for what is malformed or empty.
std::optional<core::PriorityRange> parse_priorities(std::string_view text);
std::string format_priorities(const core::PriorityRange& range);
Kind<core::PriorityRange> priorities();

}  // namespace sluice::config
