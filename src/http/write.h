// The wire form of heads. Every function appends to a string that is meant to be reused.
#pragma once

#include <string>
#include <string_view>

namespace sluice::http {

// "Not Found" for 404; empty for a status without a registered phrase.
std::string_view reason_phrase(int status);

// "HTTP/1.1 404 Not Found\r\n". status in 100 … 999.
void append_status_line(std::string& out, int status);

// "name: value\r\n". Both must be free of control characters, as what parse() returns is.
void append_header(std::string& out, std::string_view name, std::string_view value);

}  // namespace sluice::http
