// The chunked coding of bodies (RFC 9112, 7.1), piece by piece and strictly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/error.h"
#include "http/parse.h"

namespace sluice::http {

// Extensions and trailers are checked for form, counted against their limits, and dropped.
class ChunkDecoder {
 public:
  // Of all extensions of a body together, so that one-byte chunks with long extensions cannot make
  // a small body cost much.
  static constexpr std::size_t kMaxExtensionBytes = 4096;
  static constexpr std::size_t kMaxTrailerBytes = 8192;

  struct Step {
    Progress progress = Progress::kNeedMore;
    Error error = Error::kNone;
    std::size_t consumed = 0;  // of the bytes given
    std::string_view data;     // of the body, within the bytes given; may be empty
  };

  // Takes from `bytes` up to the end of the next piece of data. Call again with what was not
  // consumed; kNeedMore with `consumed` = all of it: more has to come. After kDone or kError:
  // not again.
  Step next(std::string_view bytes);

 private:
  enum class State : std::uint8_t {
    kSizeFirst,  // the first digit of a size, which must be there
    kSize,
    kExtension,
    kSizeLf,
    kData,
    kDataCr,
    kDataLf,
    kTrailerFirst,  // the first byte of a trailer line, or the end
    kTrailerName,
    kTrailerValue,
    kTrailerLf,
    kLastLf,
    kDone,
  };

  Error step(unsigned char c);
  Error size_byte(unsigned char c);
  Error trailer_byte(unsigned char c);
  Error expect(unsigned char c, unsigned char wanted, State then);

  State state_ = State::kSizeFirst;
  std::uint64_t left_ = 0;  // of the present chunk
  std::size_t extension_bytes_ = 0;
  std::size_t trailer_bytes_ = 0;
};

}  // namespace sluice::http
