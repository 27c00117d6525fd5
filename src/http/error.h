// What can be wrong with the bytes of a peer.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::http {

// The first thing found wrong; what follows it was not looked at. Nothing after an error can be
// trusted: where the next message begins is unknown, so the connection has to end.
enum class Error : std::uint8_t {
  kNone,
  kBadRequestLine,
  kBadVersion,
  kBadTarget,
  kBadStatusLine,
  kBareLineFeed,
  kControlCharacter,  // a carriage return alone, too
  kObsFold,
  kBadHeaderName,
  kSpaceBeforeColon,
  kTooManyHeaders,
  kHeadTooLarge,
  kBadContentLength,
  kTwoContentLengths,
  kLengthAndChunked,
  kBadTransferEncoding,
  kUnknownTransferEncoding,
  kBadConnection,
  kMissingHost,
  kTwoHosts,
  kBadHost,
  kBadChunk,
  kTrailerTooLarge,
};
inline constexpr int kErrorCount = static_cast<int>(Error::kTrailerTooLarge) + 1;

// The status to answer a request with: 400, 431 (too many or too large), 501 (unknown transfer
// coding) or 505 (version). A replica's error is a 502 whatever it is. Not for kNone.
int status_for(Error error);

// One sentence for the peer: what is wrong and what would be right. Empty for kNone.
std::string_view text_of(Error error);

}  // namespace sluice::http
