// "Did you mean …?"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

// The candidate that the fewest edits (insert, delete or replace a character) make of `word`, when
// they are few enough to be a slip: at most half of its length, and no more than three.
// O(candidates × lengths); a word of more than 64 bytes is nobody's slip.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

}  // namespace sluice::config
