#include "model/member_layout.h"
#include "model/site_table.h"
#include "subject.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {
namespace {

const char* const kProgram = R"(
#include <mutex>
#include <vector>
struct Base { int id = 1; };
class Box : public Base {
public:
  void fill(int value) { touch(value); }
  void copyFrom(const Box& other) { value_ = other.value_; }
  static void reset(Box* box) { box->value_ = 0; }
private:
  void touch(int value) { value_ = value; }
  std::mutex mutex_;
  const int limit_ = 7;
  int value_ = 0;
};
int total = 0;
static int calls = 0;
struct Count {
  static int made;
  static void make() { ++made; }
  static void makeMore() { make(); make(); }
};
int Count::made = 0;
std::vector<int> kept;
void add(int amount) { total += amount; ++calls; }
void addTwice(int amount) { add(amount); add(amount); }
void addSeldom(int amount) { if (amount > 0) addTwice(amount); total += amount; }
void addOnce(int amount) { add(amount); }
void addOften(int amount) { for (int i = 0; i < amount; ++i) { add(i); add(1); } }
static void addHere(int amount) { add(amount); add(amount); }
void makeSome() { Count::makeMore(); Count::makeMore(); }
void keep(int value) { kept.push_back(value); }
__attribute__((annotate("heddle:unit"))) void declared() { add(1); }
void size(std::vector<int>& list) { list.push_back(1); }
void plain(int* number) { *number = 1; }
void lock(std::mutex& mutex) { mutex.lock(); mutex.unlock(); }
__attribute__((annotate("heddle:not-unit"))) void silent(Box& box) { box.fill(3); }
int main() {
  Box one, two;
  one.fill(1);
  two.copyFrom(one);
  Box::reset(&two);
  add(2);
  addSeldom(2);
  addOnce(1);
  addOften(2);
  addHere(1);
  declared();
  makeSome();
  keep(4);
  Count::make();
  std::vector<int> list;
  size(list);
  int number = 0;
  plain(&number);
  std::mutex mutex;
  lock(mutex);
  silent(one);
  auto closure = [&](Box& box) { box.fill(number); };
  closure(one);
}
)";

/// Of a function, those with an object, or those that stand for what is used while it runs.
std::vector<SiteLine> entries(const Log& log, const std::string& function, bool callees = false) {
  std::vector<SiteLine> result = log.sitesIn(function);
  std::erase_if(result, [&](const SiteLine& site) {
    return site.kind != static_cast<int>(SiteKind::Enter) ||
           ((site.flags & kSiteCallees) != 0) != callees;
  });
  return result;
}

std::vector<std::string> setsOf(const Log& log, const std::string& function) {
  std::vector<std::string> sets;
  for (const SiteLine& site : entries(log, function))
    sets.push_back(site.object);
  return sets;
}

class Units : public testing::TestWithParam<const char*> {
protected:
  Log log = compileAndRun(kProgram, std::string("-std=c++20 -g ") + GetParam(), "entries").log;
};

using Sets = std::vector<std::string>;

TEST_P(Units, AreFunctionsWithTheObjectsThatTheyGet) {
  EXPECT_EQ(setsOf(log, "_ZN3Box4fillEi"), Sets{"Box"});
  EXPECT_EQ(setsOf(log, "_ZN3Box8copyFromERKS_"), (Sets{"Box", "Box"}));
  EXPECT_EQ(setsOf(log, "_ZN3Box5resetEPS_"), Sets{"Box"});
  EXPECT_EQ(setsOf(log, "_Z4sizeRSt6vectorIiSaIiEE"), Sets{"std::vector"});
}

TEST_P(Units, AreNoneWithoutObjects) {
  EXPECT_EQ(setsOf(log, "main"), Sets{});
  EXPECT_EQ(setsOf(log, "_Z5plainPi"), Sets{});
  EXPECT_EQ(setsOf(log, "_Z4lockRSt5mutex"), Sets{});
  EXPECT_EQ(setsOf(log, "_Z6silentR3Box"), Sets{}) << "somebody said so";
  for (const SiteLine& site : log.sites)
    if (site.kind == static_cast<int>(SiteKind::Enter)) {
      EXPECT_EQ(site.function.find("Ul"), std::string::npos) << "a closure";
      EXPECT_NE(site.function.rfind("_ZNS", 0), 0u) << "a library's function";
    }
}

TEST_P(Units, ThatArePrivateCountOnlyWhenSomebodySaysSo) {
  auto touch = entries(log, "_ZN3Box5touchEi");
  ASSERT_EQ(touch.size(), 1u);
  EXPECT_TRUE(touch[0].flags & kSiteUndeclared);
  EXPECT_FALSE(entries(log, "_ZN3Box4fillEi")[0].flags & kSiteUndeclared);
}

TEST_P(Units, KnowTheMembersOfTheirObjects) {
  SiteLine fill = entries(log, "_ZN3Box4fillEi")[0];
  std::vector<Member> members = parseMembers(fill.callee);
  ASSERT_EQ(members.size(), 4u) << fill.callee;
  EXPECT_EQ(members[0].name, "id") << "of the base class";
  EXPECT_EQ(members[2].name, "limit_");
  EXPECT_TRUE(members[2].isConstant);
  EXPECT_EQ(members[3].name, "value_");
  EXPECT_FALSE(members[3].isConstant);
  EXPECT_EQ(members[3].size, 4u);
  EXPECT_LE(members[3].offset + 4, fill.size);
}

TEST_P(Units, OfGlobalsNameTheirFileOrClass) {
  auto add = entries(log, "_Z3addi");
  ASSERT_EQ(add.size(), 2u);
  EXPECT_EQ(add[0].object, add[1].object) << "one set";
  EXPECT_TRUE(add[0].flags & add[1].flags & kSiteGlobal);
  std::vector<std::string> names = {parseMembers(add[0].callee)[0].name,
                                    parseMembers(add[1].callee)[0].name};
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (Sets{"calls", "total"}));
  EXPECT_EQ(setsOf(log, "_ZN5Count4makeEv"), Sets{"Count"});
}

TEST_P(Units, ForAllObjectsCountOnlyWhenSomebodySaysSo) {
  auto fill = entries(log, "_ZN3Box4fillEi", /*callees=*/true);
  ASSERT_EQ(fill.size(), 1u);
  EXPECT_EQ(fill[0].object, "");
  EXPECT_TRUE(fill[0].flags & kSiteUndeclared);
  auto said = entries(log, "_Z8declaredv", /*callees=*/true);
  ASSERT_GE(said.size(), 1u);
  EXPECT_EQ(said[0].object, "");
  EXPECT_FALSE(said[0].flags & kSiteUndeclared);
  EXPECT_EQ(entries(log, "_Z6silentR3Box", /*callees=*/true).size(), 0u) << "somebody said so";
}

TEST_P(Units, AreForTheGlobalsOfTheirFileOrClassThatTheirCalleesUse) {
  auto setsOfCallees = [&](const std::string& function) {
    Sets sets;
    for (const SiteLine& site : entries(log, function, /*callees=*/true))
      if (!site.object.empty())
        sets.push_back(site.object);
    return sets;
  };
  std::string file = entries(log, "_Z3addi")[0].object;
  EXPECT_EQ(setsOfCallees("_Z8addTwicei"), Sets{file});
  EXPECT_EQ(setsOfCallees("_Z9addSeldomi"), Sets{file}) << "through another function";
  EXPECT_EQ(setsOfCallees("_ZN5Count8makeMoreEv"), Sets{"Count"});
  EXPECT_EQ(setsOfCallees("_Z8makeSomev"), Sets{}) << "of another class";
  EXPECT_EQ(setsOfCallees("_Z7addOncei"), Sets{}) << "what it calls does all of it";
  EXPECT_EQ(setsOfCallees("_Z8addOfteni"), Sets{}) << "one after the other";
  EXPECT_EQ(setsOfCallees("_ZL7addHerei"), Sets{}) << "a part of what the file does";
  EXPECT_EQ(setsOfCallees("_Z3addi"), Sets{}) << "it uses them itself";
}

TEST_P(Units, UseGlobalsThatTheyPassOn) {
  auto keep = entries(log, "_Z4keepi");
  ASSERT_EQ(keep.size(), 1u);
  EXPECT_EQ(parseMembers(keep[0].callee)[0].name, "kept");
}

TEST_P(Units, TellTheirObjectsWhenTheyAreEntered) {
  SiteLine fill = entries(log, "_ZN3Box4fillEi")[0];
  SiteLine copied = entries(log, "_ZN3Box8copyFromERKS_")[1];
  auto of = [&](const SiteLine& site) {
    std::vector<uint64_t> addresses;
    for (const EventLine& event : log.events)
      if (event.site == site.id)
        addresses.push_back(event.address);
    return addresses;
  };
  ASSERT_EQ(of(fill).size(), 3u) << "one.fill, silent, closure";
  EXPECT_EQ(of(copied), std::vector{of(fill)[0]}) << "two was copied from one";
}

INSTANTIATE_TEST_SUITE_P(Levels, Units, testing::Values("-O0", "-O1", "-O2"),
                         [](const auto& level) { return std::string(level.param).substr(1); });

TEST(UnitsWithoutDebugInformation, AreReferencesAndThis) {
  Log log = compileAndRun(kProgram, "-std=c++20 -O1", "entries").log;
  EXPECT_EQ(entries(log, "_ZN3Box8copyFromERKS_").size(), 2u);
  EXPECT_EQ(entries(log, "_ZN3Box5resetEPS_").size(), 0u) << "a pointer says nothing";
  EXPECT_EQ(entries(log, "main").size(), 0u);
}

} // namespace
} // namespace heddle::test
