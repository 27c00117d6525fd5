// The corpus of every fuzzer, as an ordinary test: a broken promise aborts, and the
// last file that was named broke it.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "fuzz/http_checks.h"
#include "fuzz/snapshot_check.h"
#include "fuzz/yaml_checks.h"

namespace sluice::fuzz {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void replay(const std::string& parser, void (*check)(std::string_view)) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/" + parser)) {
    std::cerr << entry.path() << '\n';
    check(contents(entry.path()));
    ++files;
  }
  EXPECT_GE(files, 10) << "the corpus of " << parser << " is missing";
}

TEST(Replay, RequestHeads) {
  replay("request_head", check_request_head);
}
TEST(Replay, ResponseHeads) {
  replay("response_head", check_response_head);
}
TEST(Replay, Chunks) {
  replay("chunks", check_chunks);
}
TEST(Replay, ServeConfigs) {
  replay("serve_config", check_serve_config);
}
TEST(Replay, Scenarios) {
  replay("scenario", check_scenario);
}
TEST(Replay, Snapshots) {
  replay("snapshot", check_snapshot);
}

}  // namespace
}  // namespace sluice::fuzz
