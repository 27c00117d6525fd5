// What must hold for any text that claims to be a configuration or a scenario.
#pragma once

#include <string_view>

namespace sluice::fuzz {

// It is read, or refused with an error that names the file; nothing else is thrown. What is read
// can be run: a scheduler takes the options, if they ask for little memory.
void check_serve_config(std::string_view text);
void check_scenario(std::string_view text);

}  // namespace sluice::fuzz
