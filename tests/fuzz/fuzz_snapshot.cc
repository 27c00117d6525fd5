#include <cstddef>
#include <cstdint>

#include "fuzz/snapshot_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sluice::fuzz::check_snapshot({reinterpret_cast<const char*>(data), size});
  return 0;
}
