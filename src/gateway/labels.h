// Request headers → labels (R2). Only Sluice's own names; a malformed label is an error, never a
// silent default.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "core/labels.h"
#include "gateway/directory.h"

namespace sluice::gateway {

// Reads the headers of one request, one call a header, in any order.
class LabelReader {
 public:
  LabelReader(const Directory& directory, core::Labels& labels)
      : directory_(directory), labels_(labels) {}

  // False when the header is one of ours and malformed: error() says which and what is allowed.
  // Headers that are not ours are passed over, fast.
  bool read(std::string_view name, std::string_view value,
            std::chrono::system_clock::time_point wall_now);

  const std::string& error() const { return error_; }

 private:
  bool read_own(std::string_view label, std::string_view value,
                std::chrono::system_clock::time_point wall_now);
  bool read_priority(std::string_view value);
  bool read_budget_ms(std::string_view value);
  bool read_deadline(std::string_view value, std::chrono::system_clock::time_point wall_now);
  bool read_expected_ms(std::string_view value);
  bool read_queue(std::string_view value);
  bool read_task_type(std::string_view value);
  bool fail(std::string_view label, std::string_view value, std::string_view allowed);

  const Directory& directory_;
  core::Labels& labels_;
  std::string error_;
};

// Milliseconds as a caller writes them: digits, with a fraction or not; up to a day. None when it
// is anything else.
std::optional<Duration> parse_ms(std::string_view text);

// RFC 3339, like 2026-01-31T12:00:00.5Z or with an offset. None when it is anything else.
std::optional<std::chrono::system_clock::time_point> parse_rfc3339(std::string_view text);

}  // namespace sluice::gateway
