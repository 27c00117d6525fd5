#include "gateway/directory.h"

#include <gtest/gtest.h>

namespace sluice::gateway {
namespace {

core::Options some_names() {
  core::Options options;
  options.task_types = {"speech", "image"};
  options.models = {{.name = "detect"}, {.name = "a%2Fb"}};
  options.tenants = {{.name = "default"}, {.name = "acme"}};
  return options;
}

TEST(Directory, NamesAreIds) {
  const Directory directory(some_names());
  EXPECT_EQ(directory.model("detect"), core::ModelId{0});
  EXPECT_EQ(directory.model("a%2Fb"), core::ModelId{1});
  EXPECT_EQ(directory.task_type("image"), core::TaskTypeId{1});
  EXPECT_EQ(directory.tenant("acme"), core::TenantId{1});
}

TEST(Directory, UnknownModelsAndTaskTypesAreNone) {
  const Directory directory(some_names());
  for (const std::string_view name : {"", "Detect", "detect ", "a/b", "acme"}) {
    EXPECT_FALSE(directory.model(name)) << name;
    EXPECT_FALSE(directory.task_type(name)) << name;
  }
}

TEST(Directory, UnknownTenantsBelongToTheFirst) {
  const Directory directory(some_names());
  EXPECT_EQ(directory.tenant("nobody"), core::TenantId{0});
  EXPECT_EQ(directory.tenant(""), core::TenantId{0});
}

TEST(Directory, TaskTypesAreListedInOneOrder) {
  EXPECT_EQ(Directory(some_names()).task_type_names(), "image, speech");
  core::Options none;
  EXPECT_EQ(Directory(none).task_type_names(), "");
}

}  // namespace
}  // namespace sluice::gateway
