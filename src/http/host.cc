#include "http/host.h"

#include "http/syntax.h"

namespace sluice::http {
namespace {

// What stands behind the host: nothing, or a colon and a number; the number may be missing.
bool is_port(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() != ':' || text.size() > 6) return false;
  int port = 0;
  for (const char c : text.substr(1)) {
    if (!is_digit(c)) return false;
    port = port * 10 + (c - '0');
  }
  return port <= 65535;
}

// The bytes of an address, not its grammar: what it names is looked up by nobody here.
bool is_bracketed(std::string_view text) {
  if (text.size() < 4 || text.front() != '[' || text.back() != ']') return false;
  for (const char c : text.substr(1, text.size() - 2)) {
    if (hex_digit(c) < 0 && c != ':' && c != '.') return false;
  }
  return true;
}

}  // namespace

bool is_host(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return false;
    return is_bracketed(text.substr(0, end + 1)) && is_port(text.substr(end + 1));
  }
  const std::size_t end = text.find(':');
  if (!all_of(kHostByte, text.substr(0, end))) return false;
  return end == text.npos || is_port(text.substr(end));
}

}  // namespace sluice::http
