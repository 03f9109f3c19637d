// What the end of the pipeline drops, and what it must keep.
#include "subject.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

/// Accesses of `body`, a function with the parameters (Box& box, Box& other).
long accessesOf(const std::string& body, const std::string& flags) {
  Outcome outcome = compileAndRun(R"(
#include <atomic>
#include <cstdio>
extern "C" long standinCount(char);
extern "C" void standinSetModes(int, int);
struct Box {
  long* data; long length; std::atomic<long> changes; volatile long port;
  long& at(long i) { return data[i]; }
  long size() const { return length; }
};
__attribute__((noinline)) void outside() { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) long subject(Box& box, Box& other) { )" +
                                      body + R"( }
int main() {
  long cells[4] = {1, 2, 3, 4}, others[4] = {};
  Box box{cells, 4, {}, 0}, other{others, 4, {}, 0};
  standinSetModes(1, 1);
  long before = standinCount('a');
  long (*volatile entry)(Box&, Box&) = subject;
  long result = entry(box, other);
  std::printf("accesses=%ld result=%ld\n", standinCount('a') - before, result);
})",
                                  flags);
  size_t at = outcome.output.find("accesses=");
  EXPECT_NE(at, std::string::npos) << outcome.output;
  return at == std::string::npos ? -1 : std::stol(outcome.output.substr(at + 9));
}

TEST(Cleanup, RepeatedReadsOfAMemberAreOne) {
  const char* sum = "return box.at(0) + box.at(1) + box.at(2);";
  EXPECT_EQ(accessesOf(sum, "-O0"), 6) << "three times the pointer and the cell";
  EXPECT_EQ(accessesOf(sum, "-O2"), 4) << "the pointer once";
}

TEST(Cleanup, DifferentObjectsAreDifferent) {
  EXPECT_EQ(accessesOf("return box.size() + other.size() + box.size();", "-O2"), 2);
  EXPECT_EQ(accessesOf("return box.at(0) + other.at(0);", "-O2"), 4);
}

TEST(Cleanup, NothingIsDroppedAcrossAWrite) {
  EXPECT_EQ(accessesOf("long a = box.size(); other.length = 7; return a + box.size();", "-O2"), 3);
}

TEST(Cleanup, NothingIsDroppedAcrossACall) {
  EXPECT_EQ(accessesOf("long a = box.size(); outside(); return a + box.size();", "-O2"), 3)
      << "two reads, and the barrier in outside()";
}

TEST(Cleanup, NothingIsDroppedAcrossAnAtomicAccess) {
  EXPECT_EQ(
      accessesOf("long a = box.size(); a += box.changes.load(); return a + box.size();", "-O2"), 3);
  EXPECT_EQ(accessesOf("return box.changes.load() + box.changes.load();", "-O2"), 2);
}

TEST(Cleanup, VolatileReadsStay) {
  EXPECT_EQ(accessesOf("return [](Box& b) { return b.port; }(box) + box.port;", "-O2"), 2);
}

TEST(Cleanup, EveryRoundOfALoopReads) {
  EXPECT_EQ(accessesOf("long n = 0; for (int i = 0; i < 50; ++i) { n += box.size(); "
                       "if (n > 1000) break; __asm__ volatile(\"\"); } return n;",
                       "-O1"),
            50);
}

} // namespace
} // namespace heddle::test
