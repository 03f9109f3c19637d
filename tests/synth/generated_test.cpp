#include "account.h"
#include "figures.h"
#include "generated.h"

#include <gtest/gtest.h>

/// Generated tests are compiled by the compiler that users have, and run.
namespace heddle::synth::test {
namespace {

struct Example {
  std::string header;
  SeedTrace trace;
  std::string file;  ///< that the announced race is in
  std::string test;  ///< its name
  std::string place; ///< a function of the race's stack
};

std::vector<Example> examples() {
  Figure1 one;
  one.sequentialTest();
  Figure2 two;
  two.sequentialTest();
  Figure13 thirteen;
  thirteen.sequentialTests();
  return {{"figure1.h", one.trace, "Lib_test", "update_with_update", "Counter::inc"},
          {"figure2.h", two.trace, "WriteBehindQueue_test", "removeFirst_with_removeFirst",
           "CoalescedWriteBehindQueue::removeFirst"},
          {"figure13.h", thirteen.trace, "A_test", "foo_with_foo", "A::foo"}};
}

TEST(GeneratedTests, FiguresCompileAndRaceUnderThreadSanitizer) {
  for (const Example& example : examples()) {
    Folder folder;
    Synthesis synthesis = synthesize(example.trace, {});
    WrittenTests written = writtenFor(example.trace, example.header, Framework::Plain, synthesis);
    EXPECT_TRUE(written.unwritten.empty());
    for (const SourceFile& file : written.files) {
      std::string source = folder.write(file.name, file.text);
      Ended plain = compile(source, folder.at("plain"), "");
      ASSERT_EQ(plain.status, 0) << plain.output << file.text;
      EXPECT_EQ(run(folder.at("plain")).status, 0);
      Ended tsan = compile(source, folder.at("tsan"), "-fsanitize=thread");
      ASSERT_EQ(tsan.status, 0) << tsan.output;
      if (file.name == example.file + ".cpp") {
        EXPECT_TRUE(threadSanitizerReports(folder.at("tsan"), example.test, example.place))
            << file.text;
      }
    }
  }
}

TEST(GeneratedTests, TheOtherFrameworksCompileToo) {
  for (const Example& example : examples()) {
    Folder folder;
    Synthesis synthesis = synthesize(example.trace, {});
    WrittenTests google =
        writtenFor(example.trace, example.header, Framework::GoogleTest, synthesis);
    for (const SourceFile& file : google.files) {
      Ended made =
          compile(folder.write(file.name, file.text), folder.at("google"), "-lgtest -lgtest_main");
      ASSERT_EQ(made.status, 0) << made.output;
      Ended seen = run(folder.at("google"));
      EXPECT_EQ(seen.status, 0) << seen.output;
      EXPECT_NE(seen.output.find("[  PASSED  ] " + std::to_string(file.tests.size()) + " test"),
                std::string::npos)
          << seen.output;
    }
  }
}

TEST(GeneratedTests, Catch2) {
  if (!fs::exists("/usr/include/catch2/catch.hpp"))
    GTEST_SKIP() << "Catch2 2 is not installed";
  Folder folder;
  Example example = examples().front();
  Synthesis synthesis = synthesize(example.trace, {});
  WrittenTests written = writtenFor(example.trace, example.header, Framework::Catch2, synthesis);
  ASSERT_EQ(written.files.size(), 1u);
  std::string main = folder.write("main.cpp", "#define CATCH_CONFIG_MAIN\n"
                                              "#include <catch2/catch.hpp>\n");
  std::string source = folder.write(written.files[0].name, written.files[0].text);
  Ended made = compile(main + " " + source, folder.at("catch"), "-O0 -g0");
  ASSERT_EQ(made.status, 0) << made.output;
  Ended seen = run(folder.at("catch"));
  EXPECT_EQ(seen.status, 0) << seen.output;
  EXPECT_NE(seen.output.find("test cases: 1 | 1 passed"), std::string::npos) << seen.output;
}

TEST(GeneratedTests, AnAccountIsMadeWithItsValues) {
  Account seed;
  seed.sequentialTest();
  Folder folder;
  Synthesis synthesis = synthesize(seed.trace, {});
  WrittenTests written = writtenFor(seed.trace, "account.h", Framework::Plain, synthesis);
  ASSERT_TRUE(written.unwritten.empty()) << written.unwritten[0].problem;
  bool found = false;
  for (const SourceFile& file : written.files) {
    Ended made =
        compile(folder.write(file.name, file.text), folder.at("tsan"), "-fsanitize=thread");
    ASSERT_EQ(made.status, 0) << made.output << file.text;
    if (file.name != "bank_Account_test.cpp")
      continue;
    found = true;
    EXPECT_NE(file.text.find("(\"Ada \\\"L\\\"\", bank::Currency::Dollar, 0.125, true)"),
              std::string::npos)
        << file.text;
    EXPECT_NE(file.text.find("std::make_shared<bank::Log>()"), std::string::npos) << file.text;
    EXPECT_TRUE(threadSanitizerReports(folder.at("tsan"), "deposit_with_deposit", "bank::Log::add"))
        << file.text;
  }
  EXPECT_TRUE(found);
}

/// The serial outcomes of a test, each order twice.
LegalOutcomes serialOutcomes(const std::string& program, const std::string& test) {
  LegalOutcomes legal;
  for (const SerialOrder& order : serialOrders({1, 1}))
    for (int repetition = 0; repetition < 2; ++repetition) {
      std::string name = order == SerialOrder{0, 1} ? "12" : "21";
      Ended seen = run(program + " " + test + " " + name);
      EXPECT_EQ(seen.status, 0) << seen.output;
      Outcome outcome;
      outcome.results = {seen.output.substr(0, seen.output.find('\n'))};
      legal.add(order, outcome);
    }
  return legal;
}

/// Two withdrawals that both look before either takes: every access is locked, the balance is
/// negative afterwards.
TEST(GeneratedTests, ASerialProgramGivesTheLegalOutcomesAndTheTestAssertsThem) {
  Account seed;
  seed.sequentialTest();
  Folder folder;
  Synthesis synthesis = synthesize(seed.trace, {});
  SynthesizedTest test = seed.withdrawals(synthesis);
  synthesis.tests = {test};
  SourceOptions options;
  options.includes = {"\"account.h\""};
  std::string serial = writeSerialProgram(seed.trace, synthesis, options);
  Ended made = compile(folder.write("serial.cpp", serial), folder.at("serial"), "");
  ASSERT_EQ(made.status, 0) << made.output << serial;
  WrittenTests names = writeTests(seed.trace, synthesis, options);
  LegalOutcomes legal = serialOutcomes(folder.at("serial"), names.names.at(test.text));
  ASSERT_TRUE(legal.isDeterministic());
  ASSERT_EQ(legal.outcomes().size(), 2u) << legal.explain({});
  EXPECT_EQ(legal.outcomes()[0].text(), "false | true | 3");
  EXPECT_EQ(legal.outcomes()[1].text(), "true | false | 3");
  options.legal[test.text] = legal.outcomes();
  WrittenTests written = writeTests(seed.trace, synthesis, options);
  ASSERT_EQ(written.files.size(), 1u);
  std::string source = folder.write(written.files[0].name, written.files[0].text);
  Ended plain = compile(source, folder.at("plain"), "-fsanitize=thread");
  ASSERT_EQ(plain.status, 0) << plain.output << written.files[0].text;
  EXPECT_EQ(run(folder.at("plain")).output.find("data race"), std::string::npos);
#ifdef HEDDLE_BINARIES
  Ended hooked = compile(source, folder.at("hooked"), "", HEDDLE_BINARIES "/heddle-c++");
  ASSERT_EQ(hooked.status, 0) << hooked.output;
  Ended checked = run("env -C " + folder.at("") + " " HEDDLE_BINARIES "/heddle check ./hooked");
  EXPECT_EQ(checked.status, 2) << checked.output;
  EXPECT_NE(checked.output.find("true | true | -1"), std::string::npos) << checked.output;
#endif
}

#ifdef HEDDLE_BINARIES
TEST(GeneratedTests, HeddleConfirmsTheRaceOfFigure13) {
  Folder folder;
  Example example = examples().back();
  Synthesis synthesis = synthesize(example.trace, {});
  WrittenTests written = writtenFor(example.trace, example.header, Framework::Plain, synthesis);
  ASSERT_FALSE(written.files.empty());
  std::string source = folder.write("a.cpp", written.files[0].text);
  Ended made = compile(source, folder.at("hooked"), "", HEDDLE_BINARIES "/heddle-c++");
  ASSERT_EQ(made.status, 0) << made.output;
  Ended checked =
      run("env -C " + folder.at("") + " " HEDDLE_BINARIES "/heddle races ./hooked foo_with_foo");
  EXPECT_EQ(checked.status, 2) << checked.output;
  EXPECT_NE(checked.output.find("X::o"), std::string::npos) << checked.output;
}
#endif

} // namespace
} // namespace heddle::synth::test
