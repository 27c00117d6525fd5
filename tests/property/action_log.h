// Every action with all of its fields, a line each: what two runs are compared by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/ids.h"

namespace sluice::core {

class ActionLog {
 public:
  template <class... Fields>
  void write(const char* what, RequestId request, const Fields&... fields) {
    text_.append(what).append(" ").append(std::to_string(static_cast<std::uint64_t>(request)));
    (text_.append(" ").append(word(fields)), ...);
    text_ += "\n";
  }
  const std::string& text() const { return text_; }

 private:
  static std::string word(std::string_view text) { return std::string(text); }
  template <class Number>
  static std::string word(Number number) requires std::is_arithmetic_v<Number> {
    return std::to_string(number);
  }

  std::string text_;
};

}  // namespace sluice::core
