// The chunked coding of bodies (RFC 9112, 7.1), piece by piece and strictly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/error.h"
#include "http/parse.h"

namespace sluice::http {

// Extensions and trailers are checked for form, held against their limits, and not reported.
class ChunkDecoder {
 public:
  static constexpr std::size_t kMaxExtensionBytes = 256;  // of one chunk
  static constexpr std::size_t kMaxTrailerBytes = 8192;   // of all trailers, the last line included

  struct Step {
    Progress progress = Progress::kNeedMore;
    Error error = Error::kNone;
    std::size_t consumed = 0;  // of the bytes given
    std::string_view data;     // of the body, within the bytes given; may be empty
  };

  // Takes from `bytes` up to the end of the next piece of data. Call again with what was not
  // consumed; when that is empty at kNeedMore, more has to come. After kDone nothing more is
  // taken; after kError there is no use in another call. O(consumed), and O(1) for data.
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

  Error take(char c);
  Error take_size(char c);
  Error take_extension(char c);
  Error take_trailer(char c);
  Error expect(char c, char wanted, State then);

  // Below 2^60: sums with it cannot overflow.
  static constexpr int kMaxSizeDigits = 15;

  State state_ = State::kSizeFirst;
  std::uint64_t left_ = 0;  // of the present chunk
  int size_digits_ = 0;
  std::size_t extension_bytes_ = 0;
  std::size_t trailer_bytes_ = 0;
};

}  // namespace sluice::http
