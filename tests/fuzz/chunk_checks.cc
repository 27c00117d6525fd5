#include <string>

#include "base/check.h"
#include "fuzz/http_checks.h"
#include "http/chunk_decoder.h"

namespace sluice::fuzz {
namespace {

using http::Progress;

struct Decoded {
  Progress progress = Progress::kNeedMore;
  http::Error error = http::Error::kNone;
  std::size_t consumed = 0;
  std::string data;

  bool operator==(const Decoded&) const = default;
};

Decoded decode(std::string_view bytes, std::size_t piece) {
  http::ChunkDecoder decoder;
  Decoded all;
  while (all.consumed < bytes.size() && all.progress == Progress::kNeedMore) {
    const std::string_view given = bytes.substr(all.consumed, piece);
    const auto step = decoder.next(given);
    SLUICE_CHECK(step.consumed > 0 && step.consumed <= given.size(), "every step gets on");
    SLUICE_CHECK(inside(step.data, given.substr(0, step.consumed)), "data within what was taken");
    all.consumed += step.consumed;
    all.data += step.data;
    all.progress = step.progress;
    all.error = step.error;
  }
  return all;
}

std::string chunked(std::string_view data) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  while (!data.empty()) {
    const std::string_view chunk = data.substr(0, 1 + data.size() % 15);
    out.append(1, kDigits[chunk.size()]).append("\r\n").append(chunk).append("\r\n");
    data.remove_prefix(chunk.size());
  }
  return out + "0\r\n\r\n";
}

}  // namespace

void check_chunks(std::string_view bytes) {
  const Decoded whole = decode(bytes, bytes.size());
  for (const std::size_t piece : {1, 2, 7}) {
    SLUICE_CHECK(decode(bytes, piece) == whole, "however the bytes come");
  }
  const std::string coded = chunked(bytes);
  const Decoded back = decode(coded, 11);
  SLUICE_CHECK(back.progress == Progress::kDone && back.data == bytes, "coded and decoded");
}

}  // namespace sluice::fuzz
