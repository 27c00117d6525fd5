// A request as the caller sent it: where its parts lie in memory.
#pragma once

#include <string_view>

#include "base/time.h"
#include "core/ids.h"
#include "http/message.h"

namespace sluice::gateway {

// Views into buffers of the caller's connection, good until the answer has been sent whole or the
// connection is destroyed.
struct Request {
  http::RequestHead head;
  std::string_view body;  // decoded
  TimePoint arrival;      // first byte of the head
  core::ModelId model;    // that the target names; of requests that are scheduled
  // Running it twice does no harm: it may be sent again while the caller has got nothing.
  bool repeatable = false;
};

}  // namespace sluice::gateway
