#include "http/error.h"

namespace sluice::http {

int status_for(Error error) {
  switch (error) {
    case Error::kTooManyHeaders:
    case Error::kHeadTooLarge:
    case Error::kTrailerTooLarge:
      return 431;
    case Error::kUnknownTransferEncoding:
      return 501;
    case Error::kBadVersion:
      return 505;
    default:
      return 400;
  }
}

std::string_view text_of(Error error) {
  switch (error) {
    case Error::kNone:
      return "";
    case Error::kBadRequestLine:
      return "The first line is not METHOD, space, target, space, HTTP/1.1.";
    case Error::kBadVersion:
      return "Only HTTP/1.1 and HTTP/1.0 are spoken here.";
    case Error::kBadTarget:
      return "The target is neither a path nor an http:// URL, or has a character that must be "
             "percent-encoded.";
    case Error::kBadStatusLine:
      return "The first line is not HTTP/1.1, space, a status of 100 to 599 other than 101.";
    case Error::kBareLineFeed:
      return "A line ends in a line feed alone; it must end in carriage return and line feed.";
    case Error::kControlCharacter:
      return "A control character stands where only text may.";
    case Error::kObsFold:
      return "A header line begins with white space; a header must be on one line.";
    case Error::kBadHeaderName:
      return "A header's name is empty or has a character that names may not have.";
    case Error::kSpaceBeforeColon:
      return "White space stands between a header's name and its colon.";
    case Error::kTooManyHeaders:
      return "There are more than 100 headers.";
    case Error::kHeadTooLarge:
      return "The request line and headers are larger than allowed.";
    case Error::kBadContentLength:
      return "Content-Length must be one decimal number of at most 18 digits.";
    case Error::kTwoContentLengths:
      return "Content-Length may be given only once.";
    case Error::kLengthAndChunked:
      return "Content-Length and Transfer-Encoding exclude each other.";
    case Error::kBadTransferEncoding:
      return "Transfer-Encoding must be: chunked (once, and only in HTTP/1.1).";
    case Error::kUnknownTransferEncoding:
      return "No transfer coding but chunked is known here.";
    case Error::kBadConnection:
      return "Connection must be a list of at most 32 words.";
    case Error::kMissingHost:
      return "An HTTP/1.1 request must have a Host header.";
    case Error::kTwoHosts:
      return "Host may be given only once.";
    case Error::kBadHost:
      return "The host must be a name or an address, with a port of at most 65535 if any.";
    case Error::kBadChunk:
      return "The body is not chunked as HTTP/1.1 says.";
    case Error::kTrailerTooLarge:
      return "The trailers are larger than 8 KiB.";
  }
  return "";
}

}  // namespace sluice::http
