#include "account.h"
#include "model/build_record.h"
#include "synth/program/compile_errors.h"
#include "synth/program/link_words.h"
#include "synth/program/test_generation.h"

#include <gtest/gtest.h>

namespace heddle::synth::test {
namespace {

TEST(BuildRecord, IsReadAsItWasWrittenWithZeroesBetween) {
  BuildRecord compile{BuildStep::Compile, "/src", "a.cpp", {"-c", "a b.cpp", ""}};
  BuildRecord link{BuildStep::Link, "/build", "", {"a.o", "-lm"}};
  std::string section = encodeBuildRecord(compile) + std::string(5, '\0') + encodeBuildRecord(link);
  std::vector<BuildRecord> records = decodeBuildRecords(section);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].step, BuildStep::Compile);
  EXPECT_EQ(records[0].source, "a.cpp");
  EXPECT_EQ(records[0].arguments, compile.arguments);
  EXPECT_EQ(records[1].step, BuildStep::Link);
  EXPECT_EQ(records[1].directory, "/build");
  EXPECT_EQ(records[1].arguments, link.arguments);
}

TEST(BuildRecord, WhatIsCutShortIsNoRecord) {
  std::string section = encodeBuildRecord({BuildStep::Link, "/build", "", {"a.o"}});
  for (size_t size = 0; size < section.size(); ++size)
    EXPECT_TRUE(decodeBuildRecords(section.substr(0, size)).empty()) << size;
}

TEST(LinkWords, AreSortedAndHoldInAnyDirectory) {
  LinkWords words =
      sortLink({BuildStep::Link,
                "/build",
                "",
                {"-g", "-O2", "-I", "inc", "test.cpp", "../lib/queue.cc", "-o", "tests", "-Lthere",
                 "-L", "here", "-lgtest", "lib.a", "-Wl,-rpath,/x", "-Wall", "-pthread", "-DNAME=1",
                 "-Xlinker", "--as-needed"}});
  EXPECT_EQ(words.sources, (std::vector<std::string>{"/build/test.cpp", "/lib/queue.cc"}));
  EXPECT_EQ(words.others,
            (std::vector<std::string>{"-L/build/there", "-L/build/here", "-lgtest", "/build/lib.a",
                                      "-Wl,-rpath,/x", "-pthread", "-Xlinker", "--as-needed"}));
}

TEST(CompileErrors, BlameTheTestAtTheLineOrTheNoteThatLeadsThere) {
  SourceFile file{"a_test.cpp", "", {"first", "second", "third"}, {10, 20, 30}};
  auto blamed = blamedTests(file, "/out/a_test.cpp",
                            "/out/a_test.cpp:12:3: error: no such member\n"
                            "/lib/queue.h:7:1: error: deleted function\n"
                            "/out/a_test.cpp:31:9: note: in instantiation\n");
  EXPECT_EQ(blamed, (std::map<std::string, std::string>{{"first", "no such member"},
                                                        {"third", "deleted function"}}));
}

TEST(CompileErrors, BlameAllTestsWhereNoneCanBe) {
  SourceFile file{"a_test.cpp", "", {"first", "second"}, {10, 20}};
  auto blamed = blamedTests(file, "/out/a_test.cpp",
                            "/out/a_test.cpp:2:10: fatal error: 'queue.h' file not found\n");
  EXPECT_EQ(blamed.size(), 2u);
  EXPECT_EQ(blamed["second"], "'queue.h' file not found");
}

TEST(Classes, AreFoundByAnyOfTheirNames) {
  Account seed;
  seed.sequentialTest();
  for (const char* name : {"bank::Account", "Account"}) {
    auto found = findClasses(seed.trace, {name});
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, (std::set<std::string>{"bank::Account"}));
  }
  auto wrong = findClasses(seed.trace, {"Acount"});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("did you mean Account?"), std::string::npos);
}

} // namespace
} // namespace heddle::synth::test
