// The way to a peer and back, as the kernel measures it.
#pragma once

#include <optional>

#include "base/time.h"

namespace sluice::probe {

// The shortest round trip of late on a connected TCP socket. Free of what the peer's program or
// ours was busy with, which a clock round a request is not. None where the kernel does not tell.
std::optional<Duration> shortest_round_trip(int socket);

}  // namespace sluice::probe
