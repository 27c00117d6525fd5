#include <cstddef>
#include <cstdint>

#include "fuzz/yaml_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sluice::fuzz::check_serve_config({reinterpret_cast<const char*>(data), size});
  return 0;
}
