// The ids that cross the border of the core.
#pragma once

#include <cstdint>

#include "base/id.h"

namespace sluice::core {

// Positions in the tables of Options: fixed for the life of a configuration.
using ModelId = Index<struct ModelTag>;
using TenantId = Index<struct TenantTag>;
using NodeId = Index<struct NodeTag>;
using TaskTypeId = Index<struct TaskTypeTag>;
// A path of R28 (hot, cold …).
using PathId = Index<struct PathTag>;

// Live things, with generations: an id of something that has ended names nothing.
using TaskId = PoolId<struct TaskTag>;
using AttemptId = PoolId<struct AttemptTag>;

// The driver's own name for a request. The core keeps it and hands it back, never looks at it.
enum class RequestId : std::uint64_t {};

}  // namespace sluice::core
