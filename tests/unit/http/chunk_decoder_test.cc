#include "http/chunk_decoder.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

struct Decoded {
  Progress progress = Progress::kNeedMore;
  Error error = Error::kNone;
  std::string data;
  std::size_t consumed = 0;
};

// Feeds the bytes in pieces of at most this size.
Decoded decode(std::string_view bytes, std::size_t piece = 1 << 20) {
  ChunkDecoder decoder;
  Decoded all;
  while (all.consumed < bytes.size() && all.progress == Progress::kNeedMore) {
    const auto step = decoder.next(bytes.substr(all.consumed, piece));
    EXPECT_GT(step.consumed, 0u);
    all.consumed += step.consumed;
    all.data += step.data;
    all.progress = step.progress;
    all.error = step.error;
  }
  return all;
}

Error error_of(const std::string& bytes) {
  const Decoded whole = decode(bytes);
  EXPECT_EQ(decode(bytes, 1).error, whole.error) << bytes;
  return whole.error;
}

TEST(ChunkDecoder, DecodesInPiecesOfAnySize) {
  const std::string bytes =
      "5\r\nhello\r\n00a;name=\"v\"\r\n, chunked!\r\n0;x\r\nA: b\r\nC:\r\n\r\n";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const Decoded decoded = decode(bytes + "GET", piece);
    EXPECT_EQ(decoded.progress, Progress::kDone) << piece;
    EXPECT_EQ(decoded.data, "hello, chunked!") << piece;
    EXPECT_EQ(decoded.consumed, bytes.size()) << piece;
  }
}

TEST(ChunkDecoder, DataIsNotCopied) {
  const std::string bytes = "3\r\nabc\r\n";
  ChunkDecoder decoder;
  const auto step = decoder.next(bytes);
  EXPECT_EQ(step.data.data(), bytes.data() + 3);
  EXPECT_EQ(step.consumed, 6u);
}

TEST(ChunkDecoder, TakesNothingAfterTheEnd) {
  ChunkDecoder decoder;
  EXPECT_EQ(decoder.next("0\r\n\r\n").progress, Progress::kDone);
  const auto step = decoder.next("more");
  EXPECT_EQ(step.progress, Progress::kDone);
  EXPECT_EQ(step.consumed, 0u);
}

TEST(ChunkDecoder, SizesAreHexadecimalAndBounded) {
  for (const char* size : {"", "g", "-1", "+1", " 1", "1 ", "0x1", "1\t;x", "1000000000000000"}) {
    EXPECT_EQ(error_of(std::string(size) + "\r\n"), Error::kBadChunk) << size;
  }
  EXPECT_EQ(error_of("fffffffffffffff\r\n"), Error::kNone);
  EXPECT_EQ(decode("aB\r\n" + std::string(0xab, 'x') + "\r\n").data.size(), 0xabu);
}

TEST(ChunkDecoder, LinesEndInCarriageReturnAndLineFeed) {
  EXPECT_EQ(error_of("1\na"), Error::kBareLineFeed);
  EXPECT_EQ(error_of("1;x\na"), Error::kBareLineFeed);
  EXPECT_EQ(error_of("1\r\na\n"), Error::kBareLineFeed);
  EXPECT_EQ(error_of("0\r\n\n"), Error::kBareLineFeed);
  EXPECT_EQ(error_of("0\r\na: b\n"), Error::kBareLineFeed);
  EXPECT_EQ(error_of("1\rx"), Error::kBadChunk);
  EXPECT_EQ(error_of("1\r\nab"), Error::kBadChunk);
  EXPECT_EQ(error_of("1\r\na\rb"), Error::kBadChunk);
  EXPECT_EQ(error_of("0\r\n\rx"), Error::kBadChunk);
}

TEST(ChunkDecoder, ExtensionsAreTextAndBounded) {
  const std::string most(ChunkDecoder::kMaxExtensionBytes, 'x');
  EXPECT_EQ(error_of("1;" + most + "\r\na\r\n1;" + most + "\r\na"), Error::kNone);
  EXPECT_EQ(error_of("1;" + most + "x"), Error::kBadChunk);
  EXPECT_EQ(error_of(std::string("1;\0", 3)), Error::kControlCharacter);
}

TEST(ChunkDecoder, TrailersAreHeadersAndBounded) {
  EXPECT_EQ(error_of("0\r\n a: b\r\n\r\n"), Error::kBadHeaderName);
  EXPECT_EQ(error_of("0\r\n: b\r\n\r\n"), Error::kBadHeaderName);
  EXPECT_EQ(error_of("0\r\na b\r\n\r\n"), Error::kBadHeaderName);
  EXPECT_EQ(error_of("0\r\na: b\x7f\r\n\r\n"), Error::kControlCharacter);
  // The empty line at the end counts.
  const std::string most = "a:" + std::string(ChunkDecoder::kMaxTrailerBytes - 6, ' ');
  EXPECT_EQ(error_of("0\r\n" + most + "\r\n\r\n"), Error::kNone);
  EXPECT_EQ(error_of("0\r\n" + most + " \r\n\r\n"), Error::kTrailerTooLarge);
}

}  // namespace
}  // namespace sluice::http
