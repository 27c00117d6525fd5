// What must hold for any snapshot of a scheduler, whoever wrote it.
#pragma once

#include <string_view>

namespace sluice::fuzz {

// The bytes say what is done to a good snapshot, so that they mean something whatever its format:
// two bytes, how much of the end of its state is cut off; then three each, a place in it and what
// is put there. With the checksum as it was, it is refused; with the right one, it is refused, or
// is read in full and comes out again as it went in. Numbers are little-endian.
void check_snapshot(std::string_view edits);

}  // namespace sluice::fuzz
