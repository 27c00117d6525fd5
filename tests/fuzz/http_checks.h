// What must hold for any bytes whatever. One function a parser; the fuzzers, the replay of their
// corpus and the properties all call these. A broken promise aborts (SLUICE_CHECK), as fuzzers
// want it.
#pragma once

#include <functional>
#include <string_view>

namespace sluice::fuzz {

// Whether all of the view lies in the bytes; an empty one lies anywhere.
inline bool inside(std::string_view view, std::string_view bytes) {
  const std::less_equal<> at_most;
  return view.empty() || (at_most(bytes.data(), view.data()) &&
                          at_most(view.data() + view.size(), bytes.data() + bytes.size()));
}

// The result does not depend on how the bytes are cut; views lie inside them; what is accepted
// stays the same when it is written anew and read again.
void check_request_head(std::string_view bytes);
void check_response_head(std::string_view bytes);

// The data does not depend on how the bytes are cut, and lies inside them; bytes that are chunked
// come back as they were.
void check_chunks(std::string_view bytes);

}  // namespace sluice::fuzz
