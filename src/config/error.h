// What is wrong with a configuration, said so that it can be mended.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace sluice::config {

// "FILE:LINE: KEY PATH: what is wrong; what is allowed". A line of 0 means the file as a whole, an
// empty path the document as a whole; both are then left out.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(std::string_view file, int line, std::string_view path, std::string_view message);
};

}  // namespace sluice::config
