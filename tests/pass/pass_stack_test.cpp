// The shadow stack: balanced on every way out of a function, and right about the caller.
#include "subject.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

class Stack : public testing::TestWithParam<const char*> {
protected:
  static Outcome hooked(const std::string& body) {
    return compileAndRun(R"(#include <csetjmp>
#include <cstdarg>
#include <stdexcept>
extern "C" int standinDepth();
int shared;
)" + body,
                         std::string("-g ") + GetParam(), "all");
  }
};

TEST_P(Stack, IsBalancedAfterReturns) {
  Outcome outcome = hooked(R"(
__attribute__((noinline)) int leaf(int n) { return shared += n; }
__attribute__((noinline)) int fib(int n) { if (n < 2) return leaf(n); int a = fib(n - 1); return a + fib(n - 2); }
int main() { int depth = standinDepth(); fib(8); return standinDepth() - depth; })");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.depth, 0);
}

TEST_P(Stack, GrowsByOneSlotPerCallingFunction) {
  Outcome outcome = hooked(R"(
__attribute__((noinline)) void c() { shared = standinDepth(); }
__attribute__((noinline)) void b() { c(); }
__attribute__((noinline)) void a() { b(); }
int main() { int depth = standinDepth(); a(); return shared - depth - 3; })");
  EXPECT_EQ(outcome.status, 0);
}

TEST_P(Stack, IsBalancedAfterExceptions) {
  Outcome outcome = hooked(R"(
struct Cleanup { int* n; ~Cleanup() { ++*n; } };
__attribute__((noinline)) void thrower(int n) { if (n == 0) throw std::runtime_error("x"); thrower(n - 1); shared++; }
__attribute__((noinline)) void passing(int n) { int k = 0; Cleanup c{&k}; thrower(n); }
__attribute__((noinline)) int catching(int n) { int depth = standinDepth(); try { passing(n); } catch (const std::exception&) { return standinDepth() - depth; } return 99; }
__attribute__((noinline)) int rethrowing() { try { try { passing(3); } catch (...) { throw; } } catch (...) { return 0; } return 98; }
int main() {
  int depth = standinDepth();
  for (int i = 0; i < 5; ++i) if (catching(i) != 0) return 1;
  if (rethrowing()) return 2;
  return standinDepth() - depth;
})");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.depth, 0);
}

TEST_P(Stack, IsBalancedAfterLongjmp) {
  Outcome outcome = hooked(R"(
jmp_buf buffer;
__attribute__((noinline)) void deep(int n) { if (n == 0) longjmp(buffer, 1); deep(n - 1); shared++; }
__attribute__((noinline)) int jumping() { int depth = standinDepth(); if (setjmp(buffer) == 0) { deep(5); return 99; } return standinDepth() - depth; }
int main() { int depth = standinDepth(); if (jumping()) return 1; if (jumping()) return 2; return standinDepth() - depth; })");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.depth, 0);
}

TEST_P(Stack, IsBalancedAfterVariadicCalls) {
  Outcome outcome = hooked(R"(
__attribute__((noinline)) int add(int n) { return shared += n; }
__attribute__((noinline)) int sum(int n, ...) { va_list l; va_start(l, n); for (int i = 0; i < n; ++i) add(va_arg(l, int)); va_end(l); return shared; }
int main() { int depth = standinDepth(); if (sum(3, 1, 2, 3) != 6) return 1; return standinDepth() - depth; })");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.depth, 0);
}

TEST_P(Stack, NamesTheCaller) {
  Outcome outcome = hooked(R"(
__attribute__((noinline)) void touch() { shared = 1; }
__attribute__((noinline)) void first() { touch(); }
__attribute__((noinline)) void second() { shared = 3; touch(); shared = 2; }
int main() { first(); second(); return 0; })");
  std::vector<std::string> callers;
  for (const EventLine& event : outcome.log.events) {
    const SiteLine* site = outcome.log.site(event.site);
    if (!site || site->function != "_Z5touchv")
      continue;
    const SiteLine* caller = outcome.log.site(event.caller);
    ASSERT_TRUE(caller);
    EXPECT_EQ(caller->callee, "_Z5touchv");
    callers.push_back(caller->function);
  }
  EXPECT_EQ(callers, (std::vector<std::string>{"_Z5firstv", "_Z6secondv"}));
}

// Before its first call a function's own slot is empty, not a left-over of someone else.
TEST_P(Stack, HasAnEmptySlotBeforeTheFirstCall) {
  Outcome outcome = hooked(R"(
__attribute__((noinline)) void inner() { standinDepth(); }
__attribute__((noinline)) void noise() { inner(); }
__attribute__((noinline)) void fresh() { shared = 7; noise(); }
int main() { noise(); fresh(); return 0; })");
  for (const EventLine& event : outcome.log.events)
    if (const SiteLine* site = outcome.log.site(event.site);
        site && site->function == "_Z5freshv" && event.kind == 'a')
      EXPECT_EQ(event.caller, 0u);
}

TEST_P(Stack, IsUntouchedByPlainClones) {
  Outcome outcome = compileAndRun(R"(
extern "C" int standinDepth();
int shared;
__attribute__((noinline)) void c() { shared = standinDepth(); }
__attribute__((noinline)) void b() { c(); }
int main() { b(); return shared; })",
                                  GetParam(), "off");
  EXPECT_EQ(outcome.status, 0);
}

INSTANTIATE_TEST_SUITE_P(Levels, Stack, testing::ValuesIn(kAllLevels),
                         [](const auto& info) { return std::string(info.param + 1); });

} // namespace
} // namespace heddle::test
