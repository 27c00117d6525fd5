#include "config/error.h"

namespace sluice::config {
namespace {

std::string locate(std::string_view file, int line, std::string_view path,
                   std::string_view message) {
  std::string text(file);
  if (line > 0) text += ":" + std::to_string(line);
  text += ": ";
  if (!path.empty()) text.append(path).append(": ");
  return text.append(message);
}

}  // namespace

ConfigError::ConfigError(std::string_view file, int line, std::string_view path,
                         std::string_view message)
    : std::runtime_error(locate(file, line, path, message)) {}

}  // namespace sluice::config
