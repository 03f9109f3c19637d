// Dispatchers, plain and hooked clones: who calls whom, and which hooks run.
#include "subject.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

const char* const kCounting = R"(
extern "C" long standinCount(char);
extern "C" void standinSetModes(int functionMode, int siteMode);
int shared;
struct Shape { virtual void draw(); virtual ~Shape() {} };
void Shape::draw() { shared++; }
__attribute__((noinline)) void leaf() { shared++; }
__attribute__((noinline)) void tree() { leaf(); leaf(); }
long accesses(void (*f)()) { long before = standinCount('a'); f(); return standinCount('a') - before; }
Shape* shape;
void virtually() { shape->draw(); }
int main() {
  shape = new Shape;
  if (accesses(tree) != 0) return 1;   // plain clone, no hooks
  standinSetModes(1, 0);
  if (accesses(tree) != 0) return 2;   // hooked clone, sites off
  standinSetModes(0, 1);
  if (accesses(tree) != 0) return 3;   // sites on, but the plain clone runs
  standinSetModes(1, 1);
  if (accesses(tree) != 4) return 4;
  if (accesses(virtually) < 3) return 5; // through the vtable: the pointer's read, then two
  standinSetModes(1, 0);
  if (accesses(tree) != 0) return 6;
  return 0;
})";

class Versions : public testing::TestWithParam<const char*> {};

TEST_P(Versions, HooksRunExactlyWhenModesAreSet) {
  EXPECT_EQ(compileAndRun(kCounting, GetParam()).status, 0);
}

TEST_P(Versions, OfShortFunctionsFollowTheirCaller) {
  // `leaf` is off, but it is called by `tree`'s hooked clone: its hooked clone runs.
  Outcome outcome = compileAndRun(R"(
extern "C" long standinCount(char);
extern "C" void standinSetModes(int, int);
extern "C" void standinUnhook(const char*);
int shared;
__attribute__((noinline)) static void leaf() { shared++; }
__attribute__((noinline)) void tree() { leaf(); }
int main() {
  standinSetModes(1, 1);
  standinUnhook("_ZL4leafv");
  void (*volatile entry)() = tree;
  long before = standinCount('a'); entry(); if (standinCount('a') - before != 2) return 1;
  return 0; })",
                                  GetParam());
  EXPECT_EQ(outcome.status, 0);
}

TEST_P(Versions, OfLoopsAndRecursionsAreChosenAtEveryCall) {
  // Called by a hooked clone: with hooks as long as they are on, and without when they are off.
  Outcome outcome = compileAndRun(R"(
extern "C" long standinCount(char);
extern "C" void standinSetModes(int, int);
extern "C" void standinUnhook(const char*);
int shared;
static void loop(int n) { for (int i = 0; i < n; ++i) shared += i; }
static void deeper(int n) { shared++; if (n > 0) deeper(n - 1); }
static void wrapper(int n) { loop(n); }
void work(int n) { shared++; loop(n); wrapper(n); deeper(n); }
long accesses() {
  void (*volatile entry)(int) = work;
  long before = standinCount('a'); entry(10); return standinCount('a') - before; }
int main() {
  standinSetModes(1, 1);
  if (accesses() != 2 + 20 + 20 + 22) return 1;
  standinUnhook("_ZL4loopi");
  if (accesses() != 2 + 22) return 2;
  standinUnhook("_ZL6deeperi");
  if (accesses() != 2) return 3;
  return 0; })",
                                  GetParam());
  EXPECT_EQ(outcome.status, 0);
}

INSTANTIATE_TEST_SUITE_P(Levels, Versions, testing::ValuesIn(kAllLevels),
                         [](const auto& info) { return std::string(info.param + 1); });

TEST(Callees, AreListed) {
  Log log = compileAndRun(kCounting, "-O1").log;
  const FunctionLine* tree = log.function("_Z4treev");
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->callees.size(), 1u);
  EXPECT_EQ(log.functions.at(tree->callees[0]).name, "_Z4leafv");
}

TEST(Clones, AreHiddenOrInternal) {
  Workshop shop;
  shop.write("a.cpp",
             "int x; inline int get() { return x; } int (*p)() = get;\n"
             "int outer() { return get(); } __attribute__((weak)) int weak() { return x; }\n");
  shop.must("$CXX -O0 -c a.cpp");
  std::string symbols = shop.must("readelf -Ws a.o");
  auto line = [&](const std::string& name) {
    size_t end = symbols.find(" " + name + "\n");
    if (end == std::string::npos)
      return std::string();
    return symbols.substr(symbols.rfind('\n', end) + 1, end - symbols.rfind('\n', end));
  };
  EXPECT_NE(line("_Z3getv.hd.h").find("WEAK   HIDDEN"), std::string::npos) << symbols;
  EXPECT_NE(line("_Z3getv.hd.p").find("WEAK   HIDDEN"), std::string::npos) << symbols;
  EXPECT_NE(line("_Z5outerv.hd.h").find("LOCAL  DEFAULT"), std::string::npos) << symbols;
  EXPECT_NE(line("_Z5outerv").find("GLOBAL DEFAULT"), std::string::npos) << symbols;
  EXPECT_NE(line("_Z4weakv").find("WEAK   DEFAULT"), std::string::npos) << symbols;
}

TEST(WeakFunctions, CanStillBeReplaced) {
  Workshop shop;
  shop.write("a.cpp", "__attribute__((weak)) int answer() { return 1; }\n"
                      "int call() { return answer(); }\n");
  shop.write("b.cpp",
             "int answer() { return 42; } int call(); int main() { return call() - 42; }\n");
  for (const char* level : kAllLevels) {
    shop.must(std::string("$CXX -c a.cpp b.cpp ") + level + " && $CXX a.o b.o -o weak");
    EXPECT_EQ(shop.run("weak", "all").status, 0) << level;
    EXPECT_EQ(shop.run("weak", "off").status, 0) << level;
  }
}

TEST(Libraries, StaticOnesWork) {
  Workshop shop;
  shop.write("lib.cpp", "int total; void add(int n) { total += n; }\n");
  shop.write("main.cpp",
             "void add(int); extern int total; int main() { add(3); return total - 3; }\n");
  shop.must("$CXX -g -O1 -c lib.cpp && ar rcs liba.a lib.o && $CXX -g -O1 main.cpp -L. -la -o main "
            "-Wl,--gc-sections -ffunction-sections -fdata-sections");
  Outcome outcome = shop.run("main", "all");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.modules, 2);
  EXPECT_EQ(outcome.log.accesses, 3);
}

const char* const kSharedLibrary =
    "#include <cstdarg>\nint total;\nvoid add(int n) { total += n; }\n"
    "int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); "
    "va_end(l); add(s); return s; }\n";
const char* const kSharedUser = "void add(int); int sum(int, ...); extern int total;\n"
                                "int main() { add(3); sum(2, 4, 5); return total - 12; }\n";

TEST(Libraries, SharedOnesLinkWithoutUndefinedSymbols) {
  Workshop shop;
  shop.write("lib.cpp", kSharedLibrary);
  shop.write("main.cpp", kSharedUser);
  shop.must("$CXX -g -O1 -fPIC -shared -Wl,-z,defs lib.cpp -o liba.so && "
            "$CXX -g -O1 main.cpp -L. -la -Wl,-rpath,'$ORIGIN' -o main");
  Outcome outcome = shop.run("main", "all");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.modules, 2);
  EXPECT_GT(outcome.log.accesses, 3);
}

TEST(Libraries, SharedOnesRunInProgramsWithoutTheRuntime) {
  Workshop shop;
  shop.write("lib.cpp", kSharedLibrary);
  shop.write("main.cpp", kSharedUser);
  for (const char* level : kAllLevels) {
    shop.must(std::string("$CXX -g -fPIC -shared -Wl,-z,defs lib.cpp -o liba.so ") + level +
              " && HEDDLE_PLAIN=1 $CXX main.cpp -L. -la -Wl,-rpath,'$ORIGIN' -o main");
    EXPECT_EQ(shop.run("main").status, 0) << level;
  }
}

TEST(Libraries, LoadedOnesRegisterAndUnregister) {
  Workshop shop;
  shop.write("lib.cpp", "int total; extern \"C\" int add(int n) { return total += n; }\n");
  shop.write("main.cpp", R"(#include <dlfcn.h>
int main() { void* l = dlopen("./liba.so", RTLD_NOW); if (!l) return 1;
  int r = reinterpret_cast<int (*)(int)>(dlsym(l, "add"))(5); return r - 5; })");
  shop.must("$CXX -fPIC -shared lib.cpp -o liba.so && $CXX main.cpp -o main");
  Outcome outcome = shop.run("main", "all");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.accesses, 2) << "add reads and writes";
}

TEST(PureFunctions, AreNotFoldedAwayWithTheirHooks) {
  Outcome outcome = compileAndRun(R"(
int shared = 4;
__attribute__((pure, noinline)) static int get() { return shared; }
int main() { int a = get(); int b = get(); return a + b - 8; })",
                                  "-O2", "all");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.accesses, 2);
}

TEST(Output, PassesTheVerifier) {
  Workshop shop;
  shop.write("a.cpp", R"(
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
std::mutex m; std::map<std::string, int> table;
int work(int n) { std::lock_guard<std::mutex> g(m); return table[std::to_string(n)] += n; }
int main() { auto f = std::async(work, 3); std::thread t([] { work(4); }); t.join(); return f.get() - 3; })");
  for (const char* level :
       {"-O0", "-O1", "-O2", "-O3", "-g -O0", "-g -O1", "-g -O2", "-g -O3", "-g1 -O2"})
    shop.must(std::string("$CXX -std=c++20 -S -emit-llvm a.cpp -o a.ll ") + level +
              " && opt-19 -passes=verify -disable-output a.ll");
}

} // namespace
} // namespace heddle::test
