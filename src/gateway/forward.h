// The heads that go on: what of a caller's head a replica gets to see, and the other way round.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "config/serve_config.h"
#include "core/action.h"
#include "gateway/request.h"
#include "http/message.h"

namespace sluice::gateway {

// The request's head for the replica, appended to `out`: hop-by-hop fields and those that Sluice
// answers for are cut out, everything else goes on in its order. The body is sent with its length,
// however it came. `other_model`: that runs it in place of the one it names (R17); empty: that one.
void append_request_head(std::string& out, const Request& request,
                         const config::ReplicaAddress& replica, std::string_view host,
                         const core::Dispatch& dispatch, std::string_view other_model,
                         TimePoint now);

// The answer's status line and fields for the caller, without framing and without the empty line.
void append_answer_head(std::string& out, const http::ResponseHead& head);

// x-sluice-* and Server-Timing. x-sluice-model only where `other_model` ran it: who sees it has not
// got what it asked for.
void append_task_headers(std::string& out, const core::Dispatch& dispatch, std::string_view replica,
                         std::string_view other_model, Duration queued, Duration served);

}  // namespace sluice::gateway
