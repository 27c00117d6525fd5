#include "load/image_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

namespace sluice::load {
namespace {

// A 2×1 PNG: red, then blue.
constexpr unsigned char kRedBlue[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
    0x00, 0x7b, 0x40, 0xe8, 0xdd, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78,
    0x9c, 0x63, 0xf8, 0xcf, 0x00, 0x04, 0xff, 0x01, 0x07, 0x00, 0x01, 0xff, 0xe2, 0x23,
    0x9e, 0x59, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

std::string write_red_blue() {
  const std::string path = testing::TempDir() + "red_blue.png";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(kRedBlue), sizeof(kRedBlue));
  return path;
}

workload::ImageInput input(int width, int height, workload::Normalisation normalisation) {
  return {
      .files = {}, .tensor = "x", .width = width, .height = height, .normalisation = normalisation};
}

TEST(ImageTensor, IsPlanarAndNormalised) {
  const auto tensor = image_tensor(write_red_blue(), input(2, 1, workload::Normalisation::kHalf));
  EXPECT_EQ(tensor, (std::vector<float>{1, -1, -1, -1, -1, 1}));  // R R, G G, B B
}

TEST(ImageTensor, KnowsTheChannelsOfImagenet) {
  const auto tensor =
      image_tensor(write_red_blue(), input(2, 1, workload::Normalisation::kImagenet));
  ASSERT_EQ(tensor.size(), 6u);
  EXPECT_NEAR(tensor[0], (1 - 0.485) / 0.229, 1e-5);
  EXPECT_NEAR(tensor[1], (0 - 0.485) / 0.229, 1e-5);
  EXPECT_NEAR(tensor[2], (0 - 0.456) / 0.224, 1e-5);
  EXPECT_NEAR(tensor[5], (1 - 0.406) / 0.225, 1e-5);
}

TEST(ImageTensor, KeepsTheRatioAndFillsUpWithZero) {
  // 2×1 in 4×4: 4×2 pixels of image, two rows of nothing below.
  const auto tensor = image_tensor(write_red_blue(), input(4, 4, workload::Normalisation::kHalf));
  ASSERT_EQ(tensor.size(), 48u);
  EXPECT_EQ(tensor[0], 1);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const auto plane = tensor.begin() + static_cast<std::ptrdiff_t>(channel * 16);
    EXPECT_TRUE(std::all_of(plane + 8, plane + 16, [](float v) { return v == 0; }));
    EXPECT_FALSE(std::all_of(plane, plane + 8, [](float v) { return v == 0; }));
  }
}

TEST(ImageTensor, NamesTheFileItCannotRead) {
  try {
    image_tensor("no/such/image.png", input(1, 1, workload::Normalisation::kHalf));
    FAIL() << "read a file that is not there";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("no/such/image.png"), std::string::npos);
  }
}

TEST(ImageTensor, ReadsTheImagesThatShipWithSluice) {
  for (const char* file :
       {"line-upright.jpg", "line-upside-down.jpg", "line-tilted.png", "page-straight.jpg",
        "page-tilted.jpg", "page-sideways.jpg", "receipt.jpg"}) {
    const auto tensor = image_tensor(std::string("data/images/") + file,
                                     input(320, 320, workload::Normalisation::kImagenet));
    const auto [least, most] = std::minmax_element(tensor.begin(), tensor.end());
    EXPECT_GT(*most - *least, 2) << file << " has no ink on its paper";
  }
}

}  // namespace
}  // namespace sluice::load
