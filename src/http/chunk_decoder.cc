#include "http/chunk_decoder.h"

#include "http/syntax.h"

namespace sluice::http {
namespace {

// Why `c` is not text.
Error wrong_byte(char c) {
  return c == '\n' ? Error::kBareLineFeed : Error::kControlCharacter;
}

}  // namespace

ChunkDecoder::Step ChunkDecoder::next(std::string_view bytes) {
  Step step;
  while (step.consumed < bytes.size() && state_ != State::kDone) {
    if (state_ == State::kData) {
      step.data = bytes.substr(step.consumed, left_);
      step.consumed += step.data.size();
      left_ -= step.data.size();
      if (left_ == 0) state_ = State::kDataCr;
      return step;
    }
    step.error = take(bytes[step.consumed++]);
    if (step.error != Error::kNone) {
      step.progress = Progress::kError;
      return step;
    }
  }
  if (state_ == State::kDone) step.progress = Progress::kDone;
  return step;
}

Error ChunkDecoder::take(char c) {
  const bool trailer = state_ >= State::kTrailerFirst;
  if (trailer && ++trailer_bytes_ > kMaxTrailerBytes) return Error::kTrailerTooLarge;
  switch (state_) {
    case State::kSizeFirst:
    case State::kSize:
      return take_size(c);
    case State::kExtension:
      return take_extension(c);
    case State::kSizeLf:
      return expect(c, '\n', left_ > 0 ? State::kData : State::kTrailerFirst);
    case State::kDataCr:
      return expect(c, '\r', State::kDataLf);
    case State::kDataLf:
      return expect(c, '\n', State::kSizeFirst);
    case State::kTrailerLf:
      return expect(c, '\n', State::kTrailerFirst);
    case State::kLastLf:
      return expect(c, '\n', State::kDone);
    default:
      return take_trailer(c);
  }
}

Error ChunkDecoder::expect(char c, char wanted, State then) {
  if (c != wanted) return c == '\n' ? Error::kBareLineFeed : Error::kBadChunk;
  state_ = then;
  return Error::kNone;
}

Error ChunkDecoder::take_size(char c) {
  if (const int digit = hex_digit(c); digit >= 0) {
    if (state_ == State::kSizeFirst) {
      left_ = 0;
      size_digits_ = 0;
      extension_bytes_ = 0;
      state_ = State::kSize;
    }
    left_ = left_ * 16 + static_cast<unsigned>(digit);
    // Leading zeros count too: nobody needs them.
    return ++size_digits_ > kMaxSizeDigits ? Error::kBadChunk : Error::kNone;
  }
  if (state_ == State::kSizeFirst) return Error::kBadChunk;
  if (c != ';') return expect(c, '\r', State::kSizeLf);
  state_ = State::kExtension;
  return Error::kNone;
}

Error ChunkDecoder::take_extension(char c) {
  if (c == '\r') return expect(c, '\r', State::kSizeLf);
  if (!is(kTextByte, c)) return wrong_byte(c);
  return ++extension_bytes_ > kMaxExtensionBytes ? Error::kBadChunk : Error::kNone;
}

// name: value, line after line.
Error ChunkDecoder::take_trailer(char c) {
  if (state_ == State::kTrailerValue) {
    if (c == '\r') return expect(c, '\r', State::kTrailerLf);
    return is(kTextByte, c) ? Error::kNone : wrong_byte(c);
  }
  const bool first = state_ == State::kTrailerFirst;
  if (first && c == '\r') return expect(c, '\r', State::kLastLf);
  if (!first && c == ':') return expect(c, ':', State::kTrailerValue);
  if (!is(kTokenByte, c)) return c == '\n' ? Error::kBareLineFeed : Error::kBadHeaderName;
  state_ = State::kTrailerName;
  return Error::kNone;
}

}  // namespace sluice::http
