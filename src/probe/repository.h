// The Open Inference Protocol's repository extension, as Triton has it: which models a replica has
// loaded, and how it is told to load and to unload one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/http_client.h"

namespace sluice::probe {

// `prefix` comes before the path: that of the replica.
HttpQuestion index_question(std::string_view prefix);
HttpQuestion load_question(std::string_view prefix, std::string_view model);
HttpQuestion unload_question(std::string_view prefix, std::string_view model);

// Names of the models that an index says are ready, ascending, each once; nothing when it is no
// index. A model is there when one of its versions is.
std::optional<std::vector<std::string>> ready_models(const std::string& index);

// What went wrong, in the replica's own words where it has some; for a log line.
std::string failure_of(const HttpAnswer& answer);

}  // namespace sluice::probe
