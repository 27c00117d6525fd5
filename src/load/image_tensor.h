// Images as the models want them.
#pragma once

#include <string>
#include <vector>

#include "workload/mix.h"

namespace sluice::load {

// Decodes one PNG or JPEG and fits it into the input's width × height: the ratio of its sides is
// kept, what remains to the right and below is 0. Planar RGB, row by row: 3 × height × width
// values. Throws std::runtime_error naming the file when it is missing or no such image.
std::vector<float> image_tensor(const std::string& file, const workload::ImageInput& input);

}  // namespace sluice::load
