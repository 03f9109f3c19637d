#include "pipeline/runs/suppressions.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Finding race() {
  Finding finding;
  finding.kind = FindingKind::DataRace;
  FindingSite site;
  site.object = "Cache::entries_";
  site.location = {"src/cache.cpp", 12, 3, "Cache::put"};
  site.stack = {site.location, {"src/main.cpp", 40, 3, "serve"}};
  finding.sites = {site, site};
  return finding;
}

bool suppresses(const std::string& text, const Finding& finding) {
  auto suppressions = Suppressions::parse(text, "test");
  EXPECT_TRUE(suppressions) << suppressions.error().message;
  return suppressions && suppressions->suppress(finding);
}

std::string errorOf(const std::string& text) {
  auto suppressions = Suppressions::parse(text, "file");
  return suppressions ? "" : suppressions.error().message;
}

TEST(Patterns, MatchAPartUnlessTheyAreAnchored) {
  EXPECT_TRUE(matchesPattern("put", "Cache::put"));
  EXPECT_TRUE(matchesPattern("^Cache", "Cache::put"));
  EXPECT_FALSE(matchesPattern("^put", "Cache::put"));
  EXPECT_TRUE(matchesPattern("put$", "Cache::put"));
  EXPECT_FALSE(matchesPattern("Cache$", "Cache::put"));
  EXPECT_TRUE(matchesPattern("^Cache::put$", "Cache::put"));
  EXPECT_FALSE(matchesPattern("^", "Cache::put"));
}

TEST(Patterns, AStarIsAnyText) {
  EXPECT_TRUE(matchesPattern("Ca*put", "x Cache::put y"));
  EXPECT_TRUE(matchesPattern("^*put$", "Cache::put"));
  EXPECT_TRUE(matchesPattern("a*b*c", "a1b2b3c"));
  EXPECT_FALSE(matchesPattern("^a*b$", "abc"));
}

TEST(Suppressions, MatchFunctionsFilesAndVariablesOfAnyFrame) {
  for (const char* line : {"race:Cache::put", "race:cache.cpp", "race:entries_", "race:^serve$",
                           "race:src/*.cpp$", "race_top:Cache"})
    EXPECT_TRUE(suppresses(line, race())) << line;
  for (const char* line : {"race:Other", "deadlock:Cache", "race_top:serve", "mutex:Cache", ""})
    EXPECT_FALSE(suppresses(line, race())) << line;
}

TEST(Suppressions, AskingDoesNotCount) {
  auto suppressions = Suppressions::parse("race:Cache::put\n", "file");
  ASSERT_TRUE(suppressions);
  EXPECT_TRUE(suppressions->matches(race()));
  EXPECT_EQ(suppressions->suppressed(), 0u);
  EXPECT_EQ(suppressions->unused().size(), 1u);
  EXPECT_TRUE(suppressions->suppress(race()));
  EXPECT_EQ(suppressions->suppressed(), 1u);
  EXPECT_TRUE(suppressions->unused().empty());
}

TEST(Suppressions, KnowOtherKinds) {
  Finding deadlock = race();
  deadlock.kind = FindingKind::Deadlock;
  EXPECT_TRUE(suppresses("deadlock:Cache", deadlock));
  EXPECT_FALSE(suppresses("race:Cache", deadlock));
  Finding atomicity = race();
  atomicity.kind = FindingKind::AtomicityViolation;
  EXPECT_TRUE(suppresses("atomicity:Cache", atomicity));
  Finding assertion = race();
  assertion.kind = FindingKind::Assertion;
  EXPECT_FALSE(suppresses("race:Cache\ndeadlock:Cache\natomicity:Cache", assertion));
}

TEST(Suppressions, CommentsAndBlankLinesAreSkipped) {
  EXPECT_TRUE(suppresses("# a comment\n\n  \t\n  race: Cache::put  \r\n", race()));
}

TEST(Suppressions, FailuresAreNamedByKindPlaceAndMessage) {
  Finding failure = race();
  failure.kind = FindingKind::Exception;
  failure.message = "uncaught exception of type `std::out_of_range`";
  EXPECT_TRUE(suppresses("exception:Cache::put", failure));
  EXPECT_TRUE(suppresses("exception:std::out_of_range", failure));
  EXPECT_FALSE(suppresses("assertion:Cache::put", failure));
  failure.kind = FindingKind::MemoryError;
  EXPECT_TRUE(suppresses("memory-error:Cache::put", failure));
}

TEST(Suppressions, FindingsAreNamedByTheirId) {
  Finding finding = race();
  finding.id = "H-0123456789ab";
  EXPECT_TRUE(suppresses("id:H-0123456789ab", finding));
  EXPECT_FALSE(suppresses("id:H-0123456789ac", finding));
}

TEST(Suppressions, CountWhatTheyDo) {
  auto suppressions = Suppressions::parse("race:Cache\nrace:Nobody\nthread:x\n", "test");
  ASSERT_TRUE(suppressions);
  suppressions->suppress(race());
  suppressions->suppress(race());
  EXPECT_EQ(suppressions->suppressed(), 2u);
  EXPECT_EQ(suppressions->unused(), (std::vector<std::string>{"race:Nobody", "thread:x"}));
}

TEST(Suppressions, ErrorsNameTheLineAndTheKnownTypes) {
  EXPECT_EQ(
      errorOf("race:x\nrac:y\n"),
      "file:2: unknown type 'rac' (known: race, race_top, deadlock, atomicity, assertion, crash, "
      "exception, hang, memory-error, exit-status, not-linearizable, id, thread, mutex, signal, "
      "called_from_lib)");
  EXPECT_EQ(errorOf("\nrace\n"), "file:2: expected type:pattern, found 'race'");
  EXPECT_EQ(errorOf("race:\n"), "file:1: expected type:pattern, found 'race:'");
}

TEST(Suppressions, AMissingFileIsNamed) {
  auto suppressions = Suppressions::read("/no/such/file");
  ASSERT_FALSE(suppressions);
  EXPECT_NE(suppressions.error().message.find("/no/such/file"), std::string::npos);
}

} // namespace
} // namespace heddle
