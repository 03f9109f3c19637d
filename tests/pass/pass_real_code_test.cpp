// Large libraries of other people: they must compile, pass the verifier and print the same.
#include "subject.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

struct Program {
  const char* name;
  const char* flags;
};

class RealCode : public testing::TestWithParam<std::tuple<Program, const char*>> {};

TEST_P(RealCode, CompilesAndPrintsTheSame) {
  const auto& [program, level] = GetParam();
  std::string source = std::string(HEDDLE_TEST_SOURCE_DIR "/programs/") + program.name + ".cpp";
  std::string flags = std::string(" -std=c++20 -g ") + level + " " + program.flags + " " + source;
  Workshop shop;
  shop.must("HEDDLE_PLAIN=1 $CXX -pthread -o plain" + flags);
  std::string expected = shop.must("./plain");
  shop.must("$CXX -c -emit-llvm -o a.bc" + flags +
            " && opt-19 -passes=verify -disable-output a.bc");
  shop.must(std::string("$CXX a.bc -o hooked ") + level); // bitcode that is instrumented already
  for (const char* mode : {"off", "all"}) {
    Outcome outcome = shop.run("hooked", mode);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, expected) << mode;
    EXPECT_GT(outcome.log.sites.size(), 500u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, RealCode,
    testing::Combine(testing::Values(Program{"spdlog_async",
                                             "-DSPDLOG_HEADER_ONLY -DFMT_HEADER_ONLY"},
                                     Program{"asio_pool", ""}, Program{"lockfree_queue", ""}),
                     testing::Values("-O0", "-O2")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param).name) + (std::get<1>(info.param) + 1);
    });

} // namespace
} // namespace heddle::test
