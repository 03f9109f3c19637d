// A site's identity: the same in every build of the same function, whatever stands around it.
#include "subject.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::test {
namespace {

const char* const kProgram = R"(
#include <map>
#include <mutex>
#include <string>
#include <vector>
struct Account { std::mutex mutex; long balance = 0; void deposit(long n) { std::lock_guard<std::mutex> g(mutex); balance += n; } };
static Account account;
static int helper(std::vector<int>& v) { v.push_back(1); return v[0]; }
int main() {
  std::vector<int> v; std::map<std::string, int> m;
  account.deposit(helper(v)); m["a"] = 2;
  try { if (v.size() == 7) throw 3; } catch (int) { account.balance = 0; }
  return static_cast<int>(account.balance) - 1;
})";

using Identities = std::map<std::string, std::vector<std::string>>; // by function

Identities identities(const Log& log) {
  Identities result;
  for (const SiteLine& site : log.sites)
    result[site.function].push_back(site.identity);
  return result;
}

TEST(Identity, IsTheSameAtEveryLevel) {
  Identities base = identities(compileAndRun(kProgram, "-g -O0").log);
  ASSERT_GT(base.size(), 20u);
  for (const char* level : {"-O1", "-O2", "-O3", "-Os"}) {
    for (auto& [function, list] :
         identities(compileAndRun(kProgram, std::string("-g ") + level).log)) {
      ASSERT_TRUE(base.count(function)) << function;
      EXPECT_EQ(base[function], list) << function << " at " << level;
    }
  }
}

TEST(Identity, DoesNotDependOnDebugInformation) {
  EXPECT_EQ(identities(compileAndRun(kProgram, "-g -O1").log),
            identities(compileAndRun(kProgram, "-O1").log));
}

TEST(Identity, SurvivesLinesAbove) {
  std::string moved = std::string("\n\n// more\nstruct Unrelated { int x; };\n") + kProgram;
  EXPECT_EQ(identities(compileAndRun(kProgram, "-g -O1").log),
            identities(compileAndRun(moved, "-g -O1").log));
}

TEST(Identity, IsUniqueAndAboveTheReservedOnes) {
  Log log = compileAndRun(kProgram, "-g -O1").log;
  std::set<std::string> seen;
  for (const SiteLine& site : log.sites) {
    EXPECT_TRUE(seen.insert(site.identity).second) << site.function << ":" << site.line;
    EXPECT_GE(std::stoull(site.identity, nullptr, 16), 4096u);
  }
}

TEST(Identity, ChangesWithTheBody) {
  auto identityOf = [](const std::string& body) {
    return compileAndRun("int a, b; void f() { " + body + " } int main() { f(); }", "-O1")
        .log.sitesIn("_Z1fv")
        .at(0)
        .identity;
  };
  EXPECT_EQ(identityOf("a = 1;"), identityOf("b = 1;")) << "names are not part of it";
  EXPECT_NE(identityOf("a = 1;"), identityOf("a = 1; b = 2;"));
}

// Two files with one inline function and an internal function of the same name each.
class TwoFiles : public testing::Test {
protected:
  void SetUp() override {
    shop_.write("shared.h", "struct Counter { int n = 0; void add(int k) { n += k; } };\n"
                            "extern Counter counter;\n");
    shop_.write("a.cpp", "#include \"shared.h\"\nCounter counter; int b();\n"
                         "static int local() { return counter.n; }\n"
                         "int main() { counter.add(1); return local() + b() - 4; }\n");
    shop_.write("b.cpp", "#include \"shared.h\"\nint here;\n"
                         "static int local() { return counter.n; }\n"
                         "int b() { counter.add(2); return local(); }\n");
  }
  Workshop shop_;
};

TEST_F(TwoFiles, ShareInlineSitesAndKeepInternalOnes) {
  shop_.must("$CXX -g -O0 -c a.cpp && $CXX -g -O2 -c b.cpp && $CXX a.o b.o -o both");
  Outcome outcome = shop_.run("both", "all");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.log.modules, 2);
  std::vector<SiteLine> inlined = outcome.log.sitesIn("_ZN7Counter3addEi");
  ASSERT_EQ(inlined.size(), 4u) << "a read and a write in each file";
  EXPECT_EQ(inlined[0].identity, inlined[2].identity);
  EXPECT_EQ(inlined[0].id, inlined[2].id);
  std::vector<SiteLine> internal = outcome.log.sitesIn("_ZL5localv");
  ASSERT_EQ(internal.size(), 2u);
  EXPECT_NE(internal[0].identity, internal[1].identity);
}

TEST_F(TwoFiles, ShareInternalFunctionsOfHeaders) {
  shop_.write("shared.h", "struct Counter { int n = 0; void add(int k); };\n"
                          "static void addTo(int* n, int k) { *n += k; }\n"
                          "inline void Counter::add(int k) { addTo(&n, k); }\n"
                          "extern Counter counter;\n");
  for (const char* debug : {"", "-g"}) {
    shop_.must(std::string("$CXX -O0 ") + debug + " -c a.cpp && $CXX -O2 " + debug +
               " -c b.cpp && $CXX a.o b.o -o both");
    std::vector<SiteLine> sites = shop_.run("both", "all").log.sitesIn("_ZL5addToPii");
    ASSERT_EQ(sites.size(), 4u) << "a read and a write in each file";
    EXPECT_EQ(sites[0].identity, sites[2].identity);
    EXPECT_EQ(sites[1].identity, sites[3].identity);
  }
}

TEST_F(TwoFiles, OneMergedCopyReportsUnderOneId) {
  shop_.must("$CXX -g -O0 a.cpp b.cpp -o both");
  Outcome outcome = shop_.run("both", "all");
  std::set<uint32_t> ids;
  int events = 0;
  for (const EventLine& event : outcome.log.events)
    if (const SiteLine* site = outcome.log.site(event.site);
        site && site->function == "_ZN7Counter3addEi") {
      ids.insert(event.site);
      ++events;
    }
  EXPECT_EQ(events, 4);
  EXPECT_EQ(ids.size(), 2u);
}

} // namespace
} // namespace heddle::test
