#include "load/image_tensor.h"

#include <fmt/format.h>
#include <stb/stb_image.h>
#include <stb/stb_image_resize.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>

namespace sluice::load {
namespace {

constexpr int kChannels = 3;

struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> rgb;  // interleaved
};

struct Scale {
  std::array<float, kChannels> mean;
  std::array<float, kChannels> deviation;
};

Scale scale_of(workload::Normalisation normalisation) {
  if (normalisation == workload::Normalisation::kImagenet) {
    return {{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};
  }
  return {{0.5F, 0.5F, 0.5F}, {0.5F, 0.5F, 0.5F}};
}

Pixels decode(const std::string& file) {
  Pixels pixels;
  int channels_in_file = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> data(
      stbi_load(file.c_str(), &pixels.width, &pixels.height, &channels_in_file, kChannels),
      stbi_image_free);
  if (!data) {
    throw std::runtime_error(
        fmt::format("{}: {} (PNG and JPEG are read; paths are relative to "
                    "where sluice is started)",
                    file, stbi_failure_reason()));
  }
  const auto bytes =
      static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height) * kChannels;
  pixels.rgb.assign(data.get(), data.get() + bytes);
  return pixels;
}

Pixels fit(const Pixels& from, int width, int height) {
  const double factor =
      std::min(static_cast<double>(width) / from.width, static_cast<double>(height) / from.height);
  // The filter blurs even where there is nothing to resize.
  if (from.width == width && from.height == height) return from;
  Pixels to;
  to.width = std::clamp(static_cast<int>(std::lround(from.width * factor)), 1, width);
  to.height = std::clamp(static_cast<int>(std::lround(from.height * factor)), 1, height);
  to.rgb.resize(static_cast<std::size_t>(to.width) * static_cast<std::size_t>(to.height) *
                kChannels);
  if (stbir_resize_uint8(from.rgb.data(), from.width, from.height, 0, to.rgb.data(), to.width,
                         to.height, 0, kChannels) == 0) {
    throw std::runtime_error("out of memory while resizing an image");
  }
  return to;
}

}  // namespace

std::vector<float> image_tensor(const std::string& file, const workload::ImageInput& input) {
  const Pixels pixels = fit(decode(file), input.width, input.height);
  const Scale scale = scale_of(input.normalisation);
  const auto row = static_cast<std::size_t>(input.width);
  const std::size_t plane = row * static_cast<std::size_t>(input.height);
  std::vector<float> tensor(kChannels * plane);
  auto from = pixels.rgb.begin();
  for (std::size_t y = 0; y < static_cast<std::size_t>(pixels.height); ++y) {
    for (std::size_t x = 0; x < static_cast<std::size_t>(pixels.width); ++x) {
      for (std::size_t c = 0; c < kChannels; ++c) {
        const float value = static_cast<float>(*from++) / 255.0F;
        tensor[c * plane + y * row + x] = (value - scale.mean[c]) / scale.deviation[c];
      }
    }
  }
  return tensor;
}

}  // namespace sluice::load
