// Constructs that clones and hooks could break: each program checks itself, plain and hooked.
#include "subject.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

struct Program {
  const char* name;
  const char* source;
};

const Program kPrograms[] = {
    {"Coroutines", R"(
#include <coroutine>
#include <exception>
#include <stdexcept>
extern "C" int standinDepth();
int shared;
struct Generator {
  struct promise_type { int value = 0; std::exception_ptr error;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { value = v; return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); } };
  std::coroutine_handle<promise_type> handle;
  ~Generator() { handle.destroy(); }
};
int step(int n) { if (n == 7) throw std::runtime_error("seven"); return shared += n; }
Generator numbers(int n) { for (int i = 0; i < n; ++i) { int local = step(i); co_yield local; shared -= i; } }
struct Task {
  struct promise_type { std::coroutine_handle<> next; int value = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    struct Final { bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().next ? h.promise().next : std::noop_coroutine(); }
      void await_resume() noexcept {} };
    Final final_suspend() noexcept { return {}; }
    void return_value(int v) { value = v; }
    void unhandled_exception() { std::terminate(); } };
  std::coroutine_handle<promise_type> handle;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) { handle.promise().next = h; return handle; }
  int await_resume() { int v = handle.promise().value; handle.destroy(); return v; }
};
Task leaf(int n) { co_return step(n); }
Task tree(int n) { int s = 0; for (int i = 0; i < n; ++i) s += co_await leaf(1); co_return s; }
int main() {
  int depth = standinDepth();
  { Generator g = numbers(5); int sum = 0; while (g.handle.resume(), !g.handle.done()) sum += g.handle.promise().value; if (sum != 0 + 1 + 2 + 3 + 4) return 1; }
  { Generator g = numbers(9); while (g.handle.resume(), !g.handle.done()) {} if (!g.handle.promise().error) return 2; }
  shared = 0;
  Task t = tree(4); t.handle.resume(); if (t.handle.promise().value != 1 + 2 + 3 + 4) return 3; t.handle.destroy();
  return standinDepth() - depth;
})"},
    {"LargeValues", R"(
struct Big { long a[20]; }; struct Pair { double x; long y; }; int shared;
__attribute__((noinline)) Big make(Big b, int k) { shared++; for (long& x : b.a) x += k; return b; }
__attribute__((noinline)) Pair swap(Pair p) { shared++; return {static_cast<double>(p.y), static_cast<long>(p.x)}; }
__attribute__((noinline)) long many(int a, long b, char c, double d, long e, long f, long g, long h, long i, Big j) { shared++; return a + b + c + static_cast<long>(d) + e + f + g + h + i + j.a[19]; }
int main() {
  Big b{}; b = make(b, 3); if (b.a[19] != 3) return 1;
  Pair p = swap({2.0, 5}); if (p.x != 5.0 || p.y != 2) return 2;
  Big (*volatile f)(Big, int) = make; b = f(b, 4); if (b.a[0] != 7) return 3;
  long (*volatile g)(int, long, char, double, long, long, long, long, long, Big) = many;
  return g(1, 2, 3, 4.0, 5, 6, 7, 8, 9, b) == 52 ? 0 : 4;
})"},
    {"VirtualBases", R"(
int shared;
struct A { int a = 1; virtual int f() { return a + shared; } virtual ~A() { shared++; } };
struct B : virtual A { int b = 2; int f() override { return b; } };
struct C : virtual A { int c = 3; virtual int g() { return c; } };
struct D : B, C { int d = 4; int f() override { return d + a; } int g() override { return d; } };
int call(A* a) { return a->f(); }
int main() { D* d = new D; C* c = d; int (C::*member)() = &C::g; if (call(d) != 5 || c->g() != 4 || (c->*member)() != 4) return 1;
  if (dynamic_cast<B*>(c) != d) return 2; delete static_cast<A*>(d); return shared == 1 ? 0 : 3; })"},
    {"StaticLocalsAndInitialisers", R"(
#include <string>
extern "C" long standinCount(char);
struct Thing { std::string name; Thing(const char* n) : name(n) {} };
Thing early("early");
Thing& lazy() { static Thing thing("lazy"); return thing; }
thread_local std::string perThread = "t";
inline int once = [] { return 5; }();
__attribute__((constructor(102))) static void first() { once += 0; }
int main() { return lazy().name == "lazy" && early.name == "early" && perThread == "t" && once == 5 ? 0 : 1; })"},
    {"ComputedGoto", R"(
int shared;
int run(const int* code) { static void* table[] = {&&add, &&twice, &&stop}; goto *table[*code];
add: shared += 1; goto *table[*++code]; twice: shared *= 2; goto *table[*++code]; stop: return shared; }
int main() { int code[] = {0, 1, 1, 0, 2}; return run(code) - 5; })"},
    {"VariadicsAndThunks", R"(
#include <cstdarg>
int shared;
struct L { virtual ~L() {} int l; }; struct R { virtual int sum(int n, ...) = 0; virtual ~R() {} };
struct S : L, R { int k = 1; int sum(int n, ...) override { va_list a; va_start(a, n); int s = k; while (n--) s += va_arg(a, int); va_end(a); shared++; return s; } };
int main() { S s; R* r = &s; return r->sum(3, 1, 2, 3) == 7 && shared == 1 ? 0 : 1; })"},
    {"NakedAsmAndTailCalls", R"(
int shared;
__attribute__((naked)) int answer() { asm("movl $42, %eax; ret"); }
int even(unsigned n); int odd(unsigned n) { if (n == 0) return 0; shared++; [[clang::musttail]] return even(n - 1); }
int even(unsigned n) { if (n == 0) return 1; shared++; [[clang::musttail]] return odd(n - 1); }
int main() { asm volatile("" ::: "memory"); return answer() == 42 && even(100000) == 1 && shared == 100000 ? 0 : 1; })"},
    {"Ifunc", R"(
int shared;
static int one() { return shared + 1; }
extern "C" int (*resolve_pick())() { return one; }
int pick() __attribute__((ifunc("resolve_pick")));
int main() { return pick() - 1; })"},
    {"ExceptionsThroughLambdas", R"(
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>
int live;
struct Guard { Guard() { live++; } ~Guard() { live--; } };
int main() {
  std::vector<std::function<int(int)>> steps;
  for (int i = 0; i < 4; ++i) steps.push_back([i, g = std::make_shared<Guard>()](int x) { if (x > 100) throw std::out_of_range("x"); return x * (i + 2); });
  int caught = 0, value = 1;
  for (int round = 0; round < 3; ++round) { try { for (auto& step : steps) value = step(value); } catch (const std::out_of_range&) { ++caught; value = 1; } }
  steps.clear();
  return live == 0 && caught == 1 ? 0 : 1; })"},
    {"AliasesAndRecursiveTemplates", R"(
int shared;
extern "C" int target(int n) { return shared += n; }
extern "C" int other(int) __attribute__((alias("target")));
template <int N> struct Deep { static int run(int x) { return Deep<N - 1>::run(x + shared); } };
template <> struct Deep<0> { static int run(int x) { return x; } };
int main() { if (target(1) != 1 || other(2) != 3) return 1; return Deep<40>::run(0) == 120 ? 0 : 2; })"},
    {"NestedExceptionsAndNoexcept", R"(
#include <stdexcept>
int shared;
struct Thrower { ~Thrower() noexcept(false) { if (shared == 1) { shared = 2; throw 5; } } };
int middle() noexcept(false) { try { Thrower t; shared = 1; } catch (int i) { return i; } return 0; }
int function() try { if (middle() != 5) return 1; throw std::logic_error("a"); } catch (const std::logic_error&) { shared = 9; return 0; }
int main() { int r = function(); return r || shared != 9; })"},
    {"BitFieldsAndVolatile", R"(
struct Flags { unsigned a : 3, b : 5; unsigned long c : 40; volatile int v; } flags;
struct Packed { char c; int i; } __attribute__((packed)) packed;
int main() { flags.a = 5; flags.b = 17; flags.c = 1ul << 39; flags.v = 3; packed.i = 7; packed.c = 1;
  return flags.a == 5 && flags.b == 17 && flags.c >> 39 == 1 && flags.v == 3 && packed.i == 7 ? 0 : 1; })"},
};

class Language : public testing::TestWithParam<std::tuple<Program, const char*>> {};

TEST_P(Language, MeansTheSame) {
  const auto& [program, flags] = GetParam();
  Workshop shop;
  shop.write("a.cpp", program.source);
  shop.must(std::string("$CXX -std=c++20 ") + flags +
            " a.cpp -o a && $CXX -std=c++20 -S -emit-llvm " + flags +
            " a.cpp -o a.ll && opt-19 -passes=verify -disable-output a.ll");
  for (const char* mode : {"off", "all", "hooked-off"}) {
    Outcome outcome = shop.run("a", mode);
    EXPECT_EQ(outcome.status, 0) << mode << ": " << outcome.output;
    EXPECT_EQ(outcome.log.depth, 0) << mode;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Language,
                         testing::Combine(testing::ValuesIn(kPrograms),
                                          testing::Values("-g -O0", "-O1", "-g -O2", "-O3 -fPIC")),
                         [](const auto& info) {
                           std::string flags = std::get<1>(info.param);
                           std::erase_if(flags, [](char c) { return !isalnum(c); });
                           return std::get<0>(info.param).name + flags;
                         });

TEST(C, Works) {
  Workshop shop;
  shop.write("a.c", R"(
#include <pthread.h>
#include <stdlib.h>
struct account { pthread_mutex_t lock; long balance; struct account* next; };
typedef struct { int x; } point_t;
static struct account all[2];
point_t origin;
static void* deposit(void* argument) {
  struct account* a = argument;
  pthread_mutex_lock(&a->lock);
  a->balance += 3;
  pthread_mutex_unlock(&a->lock);
  return 0;
}
int old(a, b) int a; long b; { return a + (int)b + origin.x; }
inline int twice(int x) { return 2 * x + origin.x; }
extern inline int twice(int x);
int main(void) {
  pthread_t t;
  pthread_mutex_init(&all[0].lock, 0);
  pthread_create(&t, 0, deposit, &all[0]);
  pthread_join(t, 0);
  int (*p)() = old;
  return all[0].balance + p(1, 2L) + twice(1) - 8;
})");
  for (const char* level : kAllLevels) {
    shop.must(std::string("$CC -g -std=gnu11 -Wno-deprecated-non-prototype a.c -o a ") + level);
    Outcome outcome = shop.run("a", "all");
    EXPECT_EQ(outcome.status, 0);
    std::vector<SiteLine> sites = outcome.log.sitesIn("deposit");
    ASSERT_EQ(sites.size(), 4u);
    EXPECT_EQ(sites[0].object, "account::lock");
    EXPECT_EQ(sites[1].object, "account::balance");
  }
}

TEST(Options, OtherCompilationsWork) {
  Workshop shop;
  shop.write("a.cpp", R"(
#include <cstdio>
#include <string>
#include <thread>
#include <vector>
int shared; std::string text;
int main() { std::vector<std::thread> v; for (int i = 0; i < 3; ++i) v.emplace_back([i] { if (i == 0) text += "x"; });
  for (auto& t : v) t.join();
#pragma omp parallel for
  for (int i = 0; i < 1; ++i) shared++;
  return static_cast<int>(text.size()) - 1; })");
  for (const char* flags :
       {"-flto -fuse-ld=lld -O2", "-flto=thin -fuse-ld=lld -O2 -g", "-fsanitize=undefined -O1 -g",
        "-fno-pie -no-pie -O2", "-gdwarf-4 -gsplit-dwarf -O1", "-fno-plt -O2",
        "-static-libstdc++ -static-libgcc", "-fprofile-instr-generate -fcoverage-mapping -O1",
        "-fstack-protector-strong -D_FORTIFY_SOURCE=2 -O2", "-mavx2 -O3 -ffast-math",
        "-fcf-protection=full -O1", "-fno-omit-frame-pointer -Og"}) {
    shop.must(std::string("$CXX -std=c++20 a.cpp -o a ") + flags);
    Outcome outcome = shop.run("a", "all");
    EXPECT_EQ(outcome.status, 0) << flags << "\n" << outcome.output;
    EXPECT_GT(outcome.log.accesses, 0) << flags;
  }
}

} // namespace
} // namespace heddle::test
