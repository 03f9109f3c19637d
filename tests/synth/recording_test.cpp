#include "generated.h"
#include "synth/seed_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

/// From sequential tests that are compiled and recorded to generated tests that race.
namespace heddle::synth::test {
namespace {

/// Compiles with the hooks of a recording, runs it and reads what it told.
Result<SeedTrace> record(const Folder& folder, const std::string& header,
                         const std::string& source) {
  std::string plugin = "-fpass-plugin=" HEDDLE_BINARIES "/../lib/heddle/heddle_pass.so";
  std::string program = folder.at("sequential");
  Ended made = compile(folder.write("sequential.cpp", source), program + ".o", "-c " + plugin,
                       "env HEDDLE_SEED=" + header + " clang++-19");
  EXPECT_EQ(made.status, 0) << made.output;
  made = run("clang++-19 " HEDDLE_BINARIES "/../lib/heddle/heddle_seed.o " + program + ".o -o " +
             program);
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_EQ(run("env HEDDLE_SEED_FILE=" + folder.at("seed") + " " + program).status, 0);
  std::ifstream trace(folder.at("seed"));
  return readSeedTrace(trace);
}

std::set<std::string> textsOf(const Synthesis& synthesis) {
  std::set<std::string> texts;
  for (const SynthesizedTest& test : synthesis.tests)
    texts.insert(test.text);
  return texts;
}

/// Every generated test races under ThreadSanitizer; how many there are.
size_t confirmAll(const Folder& folder, const SeedTrace& trace, const Synthesis& synthesis,
                  const std::string& header) {
  WrittenTests written = writtenFor(trace, header, Framework::Plain, synthesis);
  EXPECT_TRUE(written.unwritten.empty());
  size_t count = 0;
  for (const SourceFile& file : written.files) {
    Ended made =
        compile(folder.write(file.name, file.text), folder.at("tsan"), "-fsanitize=thread");
    EXPECT_EQ(made.status, 0) << made.output << file.text;
    for (const std::string& test : file.tests) {
      EXPECT_TRUE(threadSanitizerReports(folder.at("tsan"), test, "data race"))
          << test << file.text;
      ++count;
    }
  }
  return count;
}

TEST(Recording, Figure13FromSourceToTheContextOfThePaper) {
  Folder folder;
  Result<SeedTrace> trace = record(folder, "figure13.h", R"(#include "figure13.h"
static void foo() { X x0; A a(x0); Y y; a.foo(y); }
static void bar() { X x0, x1; Z z; z.baz(x0); A a(x1); a.bar(z); }
int main() { foo(); bar(); })");
  ASSERT_TRUE(trace);
  Synthesis synthesis = synthesize(*trace, {});
  EXPECT_EQ(
      textsOf(synthesis),
      (std::set<std::string>{"a1.bar(z1) || a1.bar(z2)", "a1.bar(z1) || a1.foo(y2)",
                             "a1.bar(z1) || z1.baz(x2)", "z1.baz(x1) || z1.baz(x2)",
                             "z1.baz(x1); a5.bar(z1); a6.bar(z1); a5.foo(y5) || a6.foo(y6)"}));
  EXPECT_EQ(confirmAll(folder, *trace, synthesis, "figure13.h"), 5u);
}

TEST(Recording, ClassesOfManyKinds) {
  Folder folder;
  Result<SeedTrace> trace = record(folder, "kinds.h", R"(#include "kinds.h"
using namespace kinds;
int main() {
  Registry::instance().note();
  (void)Registry::instance().count();
  Cache cache(Mode::Slow, 1.5);
  cache.put(3, std::make_shared<Item>());
  (void)cache.get(3);
  cache.touch(3);
  (void)cache.hits();
  try { (void)cache.get(9); } catch (const std::out_of_range&) {}
  Holder one(std::make_unique<Item>()), other(std::make_unique<Item>());
  one.bump();
  one.swapWith(other);
  Subject subject;
  Sum sum;
  subject.attach(&sum);
  subject.fire(4);
  Safe safe;
  safe.inc();
})");
  ASSERT_TRUE(trace);
  Synthesis synthesis = synthesize(*trace, {});
  std::set<std::string> texts = textsOf(synthesis);
  EXPECT_TRUE(texts.contains("cache1.get(3) || cache1.hits()"));
  EXPECT_TRUE(texts.contains(
      "cache3.put(3, item1); cache4.put(3, item1); cache3.touch(3) || cache4.touch(3)"));
  EXPECT_TRUE(texts.contains("holder1.bump() || holder1.swapWith(holder2b)"));
  EXPECT_TRUE(texts.contains("registry1.note() || registry2.note()"));
  EXPECT_TRUE(texts.contains("subject3.attach(sum1); subject4.attach(sum1); "
                             "subject3.fire(4) || subject4.fire(4)"));
  for (const std::string& text : texts)
    EXPECT_EQ(text.find("safe"), std::string::npos) << text;
  EXPECT_EQ(confirmAll(folder, *trace, synthesis, "kinds.h"), texts.size());
}

} // namespace
} // namespace heddle::synth::test
