// What arrives: classes of requests and how often each is drawn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/random.h"
#include "base/time.h"

namespace sluice::workload {

// A body of so many bytes whose content says nothing (for models of timed profiles).
struct BytesInput {
  std::size_t size_bytes = 0;
};

// Pixel values, 0..1, become (value − mean) ÷ deviation, per channel.
enum class Normalisation : std::uint8_t {
  kHalf,      // mean 0.5, deviation 0.5: the range −1..1
  kImagenet,  // means and deviations of ImageNet's channels
};

// Images that become FP32 tensors of shape 1×3×height×width; a request takes one of them.
struct ImageInput {
  std::vector<std::string> files;  // PNG or JPEG; at least one
  std::string tensor;              // name of the model's input
  int width = 0;
  int height = 0;
  Normalisation normalisation = Normalisation::kHalf;
};

using Input = std::variant<BytesInput, ImageInput>;

// As core names them, which this part may not see.
inline constexpr std::array<std::string_view, 3> kRealtimeNames{"high", "medium", "low"};
inline constexpr std::array<std::string_view, 3> kLaneNames{"high", "latency", "low"};
inline constexpr std::array<std::string_view, 2> kNormalisationNames{"half", "imagenet"};

// Callers of one kind. Labels that are absent are not sent: the catalogue fills them in.
struct RequestClass {
  std::string name{};
  double share = 1;  // relative to the other classes' shares; > 0
  std::string model{};
  std::string tenant = "default";
  std::optional<std::string> realtime{};  // one of kRealtimeNames
  std::optional<int> priority{};          // 0..9, smaller is more urgent
  Duration budget{};                      // from the intended send time; > 0
  std::string lane{};                     // where it is expected, should the answer not say
  // A wait beyond this counts as starved.
  Duration starved_after = std::chrono::seconds(2);
  Input input{};
};

// Draws classes in proportion to their shares.
class Mix {
 public:
  // At least one class.
  explicit Mix(std::vector<RequestClass> classes);

  const std::vector<RequestClass>& classes() const { return classes_; }
  // An index into classes(). O(log classes).
  std::size_t draw(Random& random) const;

 private:
  std::vector<RequestClass> classes_;
  std::vector<double> cumulative_;  // of the shares; the last is their sum
};

}  // namespace sluice::workload
