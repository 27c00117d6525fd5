// Columns of plain text.
#pragma once

#include <string>
#include <vector>

namespace sluice::config {

using TextRow = std::vector<std::string>;

// The rows below one another, two spaces between columns, indented by two; each column as wide as
// its widest cell. Cells hold ASCII, rows equally many of them.
std::string format_table(const std::vector<TextRow>& rows);

}  // namespace sluice::config
