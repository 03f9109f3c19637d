// Loops that only wait keep a hook in both clones; loops that get on by themselves have none.
#include "subject.h"

#include "model/site_table.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

const char* const kLoops = R"(
#include <atomic>
#include <immintrin.h>
#include <map>
#include <string>
#include <vector>
struct Queue { int* head; };
struct Node { Node* next; int v; };
int flag; volatile int port; std::atomic<bool> ready; std::atomic_flag taken; std::atomic<int> lock; Queue* queue;
void wait_plain() { while (!flag) {} }
void wait_volatile() { while (!port) _mm_pause(); }
void wait_atomic() { while (!ready.load(std::memory_order_acquire)); }
void wait_asm() { while (!ready) asm volatile("pause" ::: "memory"); }
void wait_test_and_set() { while (taken.test_and_set()) {} }
void wait_exchange_weak() { int e = 0; while (!lock.compare_exchange_weak(e, 1)) e = 0; }
void wait_nested() { for (;;) { while (lock.load()) _mm_pause(); if (!lock.exchange(1)) break; } }
void wait_pointer() { while (queue->head == nullptr); }
int wait_backoff() { int n = 1; while (!flag) { for (int k = 0; k < n; k++) _mm_pause(); n *= 2; } return n; }
void wait_ticket(int t, std::atomic<int>& serving) { while (serving.load() != t) {} }
void wait_both() { while (!(flag && port)) {} }
void wait_builtin() { int e = 0; while (!__atomic_compare_exchange_n(&flag, &e, 1, true, 4, 0)) {} }
void wait_do() { do {} while (flag); }
int run_index(std::vector<int>& v) { int s = 0; for (size_t i = 0; i < v.size(); i++) s += v[i]; return s; }
int run_range(std::vector<int>& v) { int s = 0; for (int x : v) s += x; return s; }
int run_list(Node* n) { int s = 0; while (n) { s += n->v; n = n->next; } return s; }
int run_string(const char* p) { int n = 0; while (*p++) n++; return n; }
int run_map(std::map<int, int>& m) { int s = 0; for (auto& [k, v] : m) s += v; return s; }
int run_bounded() { int s = 0; while (!flag && s < 1000) s++; return s; }
int run_volatile_bound() { volatile int s = 0; while (!flag && s < 1000) s = s + 1; return s; }
int run_work(std::atomic<int>& c, int* a) { int s = 0; for (;;) { int i = c.fetch_add(1); if (i >= 100) break; s += a[i]; } return s; }
int run_count(int* n, int* a) { int s = 0; for (int i = 0; i < *n; i++) s += a[i]; return s; }
int run_find(const std::string& x, char c) { size_t i = 0; while (i < x.size() && x[i] != c) i++; return i; }
int main() { return 0; }
)";

class Spin : public testing::TestWithParam<const char*> {};

TEST_P(Spin, LoopsAreFound) {
  Log log = compileAndRun(kLoops, GetParam()).log;
  std::map<std::string, int> waits;
  for (const FunctionLine& function : log.functions)
    if (size_t at = std::min(function.name.find("wait_"), function.name.find("run_"));
        at != std::string::npos && function.name.starts_with("_Z"))
      waits[function.name] = 0;
  ASSERT_EQ(waits.size(), 23u);
  for (const SiteLine& site : log.sites)
    if (site.kind == static_cast<int>(SiteKind::Spin) && waits.count(site.function))
      ++waits[site.function];
  for (const auto& [function, count] : waits) {
    bool waiting = function.find("wait_") != std::string::npos;
    int expected = !waiting ? 0 : function.find("nested") != std::string::npos ? 2 : 1;
    EXPECT_EQ(count, expected) << function;
  }
}

TEST_P(Spin, LoopsNameWhatTheyWaitFor) {
  Log log = compileAndRun(kLoops, std::string("-g ") + GetParam()).log;
  auto objectOf = [&](const std::string& function) {
    for (const SiteLine& site : log.sitesIn(function))
      if (site.kind == static_cast<int>(SiteKind::Spin))
        return site.object;
    return std::string("no spin site");
  };
  EXPECT_EQ(objectOf("_Z10wait_plainv"), "flag");
  EXPECT_EQ(objectOf("_Z11wait_atomicv"), "ready");
  EXPECT_EQ(objectOf("_Z17wait_test_and_setv"), "taken");
}

// The hook lets the flag change: without it, or with its load hoisted, this runs forever.
TEST_P(Spin, LoopsEndWhenTheHookChangesMemory) {
  const std::string program = R"(
#include <atomic>
int flag; volatile int other; std::atomic<int> atomicFlag; int rounds;
extern "C" __attribute__((disable_sanitizer_instrumentation)) void standinSpin() { if (++rounds % 10 == 0) { flag = 1; other = 1; atomicFlag.store(1); } }
__attribute__((noinline)) void plain() { while (!flag) {} }
__attribute__((noinline)) void atomically() { while (atomicFlag.load() == 0) {} }
__attribute__((noinline)) void volatiles() { while (!other) {} }
int main() { plain(); if (rounds != 10) return 1; flag = 0; atomicFlag = 0; atomically(); other = 0; volatiles(); return rounds == 30 ? 0 : 2; }
)";
  for (const char* mode : {"off", "all", "hooked-off"})
    EXPECT_EQ(compileAndRun(program, GetParam(), mode).status, 0) << mode;
}

INSTANTIATE_TEST_SUITE_P(Levels, Spin, testing::ValuesIn(kAllLevels),
                         [](const auto& info) { return std::string(info.param + 1); });

} // namespace
} // namespace heddle::test
