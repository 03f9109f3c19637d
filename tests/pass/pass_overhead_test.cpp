// What instrumented code costs when every mode is off, against plain clang, in instructions: they
// do not depend on what else the machine does. The limit is for containers and tight loops.
#include "subject.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {
namespace {

double instructions(const Workshop& shop, const std::string& command) {
  std::string output = shop.must("STANDIN_MODE=hooked-off valgrind --tool=cachegrind "
                                 "--cache-sim=no --cachegrind-out-file=/dev/null " +
                                 command + " 2>&1 | sed -n 's/,//g; s/.*I *refs: *//p'");
  return std::atof(output.c_str());
}

TEST(Overhead, OfCodeThatIsOffIsSmall) {
  Workshop shop;
  std::string source = HEDDLE_TEST_SOURCE_DIR "/programs/containers.cpp";
  shop.must("HEDDLE_PLAIN=1 $CXX -std=c++20 -O2 " + source + " -o plain");
  // Without the runtime: no hook is ever called, which is what "off" costs.
  shop.must("$CXX -std=c++20 -O2 -c " + source + " -o off.o && HEDDLE_PLAIN=1 $CXX off.o -o off");
  shop.must("$CXX -std=c++20 -O2 off.o -o hooked");
  std::printf("%-14s %14s %14s %7s %20s %7s\n", "loop", "plain", "off", "ratio",
              "hooked, sites off", "ratio");
  for (const char* loop : {"vector", "map", "sort", "unordered_map", "string", "virtual"}) {
    double start = instructions(shop, "./plain none");
    double startOff = instructions(shop, "./off none");
    double startHooked = instructions(shop, "./hooked none");
    double plain = instructions(shop, std::string("./plain ") + loop) - start;
    double off = instructions(shop, std::string("./off ") + loop) - startOff;
    double hooked = instructions(shop, std::string("./hooked ") + loop) - startHooked;
    std::printf("%-14s %14.0f %14.0f %6.2fx %20.0f %6.2fx\n", loop, plain, off, off / plain, hooked,
                hooked / plain);
    double limit = std::string(loop) == "virtual" ? 1.6 : 1.1; // a dispatcher per virtual call
    EXPECT_LE(off / plain, limit) << loop;
    EXPECT_GT(plain, 0);
  }
}

} // namespace
} // namespace heddle::test
