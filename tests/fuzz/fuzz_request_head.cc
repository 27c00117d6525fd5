#include <cstddef>
#include <cstdint>

#include "fuzz/http_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sluice::fuzz::check_request_head({reinterpret_cast<const char*>(data), size});
  return 0;
}
