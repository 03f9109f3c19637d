// heddle-cc and heddle-c++ as drop-ins for clang.
#include "subject.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

class Driver : public testing::Test {
protected:
  void SetUp() override {
    shop_.write(
        "a.cpp",
        "#include <thread>\nint shared; int b();\n"
        "int main() { std::thread t([] { shared = 1; }); t.join(); return shared + b() - 3; }\n");
    shop_.write("b.cpp", "int b() { return 2; }\n");
    shop_.write("c.c", "int shared;\nint main(void) { shared = 1; return shared - 1; }\n");
    shop_.write("s.s", ".text\n.globl b\n_Z1bv: .globl _Z1bv\nmovl $2, %eax\nret\n"
                       ".section .note.GNU-stack,\"\",@progbits\n");
  }
  bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  Workshop shop_;
};

TEST_F(Driver, LinksTheRuntimeIntoExecutablesFirst) {
  std::string command = shop_.must("$CXX -### a.cpp b.cpp -o p");
  size_t runtime = command.find("heddle_rt.o");
  ASSERT_NE(runtime, std::string::npos);
  EXPECT_LT(runtime, command.rfind("/a-"));
  size_t names = command.find("heddle_names.o");
  ASSERT_NE(names, std::string::npos);
  EXPECT_GT(names, command.rfind("/b-"));
  EXPECT_LT(names, command.rfind("-lc\""));
  EXPECT_TRUE(has(command, "--dynamic-list="));
  EXPECT_TRUE(has(command, "--build-id"));
  EXPECT_TRUE(has(command, "-lpthread") || has(command, "-lc"));
  EXPECT_TRUE(has(command, "-fpass-plugin="));
}

TEST_F(Driver, AddsNothingToOtherLinks) {
  for (const char* kind : {"-shared -fPIC", "-r", "-c", "-S", "-E", "-fsyntax-only", "-M", "-MM"})
    EXPECT_FALSE(has(shop_.must(std::string("$CXX -### b.cpp ") + kind), "heddle_rt.o")) << kind;
}

TEST_F(Driver, BuildsInOneStepAndInSeveral) {
  shop_.must("$CXX -g a.cpp b.cpp -o one");
  EXPECT_EQ(shop_.run("one").status, 0);
  shop_.must("$CXX -g -c a.cpp b.cpp && $CXX a.o b.o -o two && $CXX -r a.o b.o -o ab.o && $CXX "
             "ab.o -o three");
  EXPECT_EQ(shop_.run("two").status, 0);
  EXPECT_EQ(shop_.run("three").status, 0);
  shop_.must("$CXX a.cpp -x assembler s.s -o four");
  EXPECT_EQ(shop_.run("four").status, 0);
  shop_.must("cat b.cpp | $CXX -x c++ -c - -o in.o && $CXX a.cpp in.o -o five");
  EXPECT_EQ(shop_.run("five").status, 0);
  shop_.must("$CXX -o six -- a.cpp b.cpp");
  EXPECT_EQ(shop_.run("six").status, 0);
  shop_.must("$CC -g c.c -o c");
  EXPECT_EQ(shop_.run("c").status, 0);
}

TEST_F(Driver, LetsDefinitionsOfTheProgramWin) {
  shop_.write("own.c", "int raise(int x) { return x; }\nint main(void) { return raise(3); }\n");
  shop_.write("none.c", "int raise(int);\nint main(void) { return raise(-4); }\n");
  shop_.must("$CC -w own.c -o own && $CC -w -x c none.c -o none && $CC -w -o end -- own.c");
  EXPECT_EQ(shop_.run("own").status, 3);
  EXPECT_EQ(shop_.run("none").status, 4);
  EXPECT_EQ(shop_.run("end").status, 3);
}

TEST_F(Driver, IsQuietAboutItsOwnOptions) {
  EXPECT_EQ(
      shop_.must(
          "$CXX -g -Wall -Wextra -Werror -c b.cpp && $CXX -Werror -c -x assembler s.s -o s.o && "
          "$CXX -Werror -E b.cpp -o b.ii && $CXX -Werror -c b.ii && "
          "$CXX -Werror -shared b.o -o libb.so"),
      "");
}

TEST_F(Driver, ReadsResponseFiles) {
  shop_.write("flags", "-g -O1\n\"a.cpp\" b.cpp\n-o 'with space'\n");
  shop_.must("$CXX @flags && mv 'with space' p");
  EXPECT_EQ(shop_.run("p", "all").status, 0);
  shop_.write("only-compile", "-c b.cpp -fno-tree-ch");
  shop_.must("$CXX @only-compile && test -f b.o");
}

TEST_F(Driver, AnswersLikeClang) {
  for (const char* query :
       {"--version", "-dumpversion", "-dumpmachine", "-print-search-dirs",
        "-print-file-name=libc.so", "--print-resource-dir", "-print-prog-name=ld", "-v", "--help"})
    EXPECT_EQ(shop_.must(std::string("$CXX ") + query),
              shop_.must(std::string("clang++-19 ") + query))
        << query;
  // One macro more, for programs that want to know.
  EXPECT_EQ(shop_.must("$CXX -E -dM -x c++ /dev/null"),
            shop_.must("clang++-19 -D__HEDDLE__=1 -E -dM -x c++ /dev/null"));
  EXPECT_EQ(shop_.must("$CC -E -dM -x c /dev/null"),
            shop_.must("clang-19 -D__HEDDLE__=1 -E -dM -x c /dev/null"));
  EXPECT_EQ(shop_.must("$CXX -MM a.cpp"), "a.o: a.cpp\n");
  shop_.must("$CXX -MMD -MF a.d -c a.cpp && grep -q 'a.o: a.cpp' a.d");
  EXPECT_NE(shop_.shell("$CXX").status, 0);
  EXPECT_TRUE(has(shop_.shell("$CXX").output, "no input files"));
  EXPECT_NE(shop_.shell("$CXX missing.cpp").status, 0);
}

TEST_F(Driver, FindsTheHeader) {
  shop_.write("h.c", "#include <heddle/heddle.h>\n#ifndef HEDDLE_STANDIN_HEADER\n#error\n#endif\n");
  shop_.must("$CC -c h.c");
}

TEST_F(Driver, AddsFullTypesOnlyWithDebugInformation) {
  EXPECT_TRUE(has(shop_.must("$CXX -### -g -c b.cpp"), "-debug-info-kind=standalone"));
  EXPECT_TRUE(has(shop_.must("$CXX -### -ggdb3 -c b.cpp"), "-debug-info-kind=standalone"));
  EXPECT_FALSE(has(shop_.must("$CXX -### -c b.cpp"), "-debug-info-kind"));
  EXPECT_FALSE(has(shop_.must("$CXX -### -g -g0 -c b.cpp"), "-debug-info-kind"));
  EXPECT_FALSE(has(shop_.must("$CXX -### -g -fno-standalone-debug -c b.cpp"),
                   "-debug-info-kind=standalone"));
}

TEST_F(Driver, SaysInOneSentenceWhatItCanNotDo) {
  struct {
    const char* flags;
    const char* words;
  } const cases[] = {
      {"-fsanitize=thread -c", "-fsanitize=thread cannot be combined with heddle"},
      {"-fsanitize=undefined,thread -c", "-fsanitize=thread cannot be combined with heddle"},
      {"-fsanitize=address -c", "-fsanitize=address cannot be combined with heddle"},
      {"-fsanitize=leak", "-fsanitize=leak cannot be combined with heddle"},
      {"-static", "a fully static executable (-static) cannot be run by heddle"},
      {"-static-pie", "a fully static executable (-static-pie)"},
      {"-m32 -c", "-m32 is not supported"},
      {"--target=aarch64-linux-gnu -c", "--target=aarch64-linux-gnu is not supported"},
  };
  for (const auto& [flags, words] : cases) {
    Outcome outcome = shop_.shell(std::string("$CXX b.cpp ") + flags);
    EXPECT_EQ(outcome.status, 1) << flags;
    EXPECT_TRUE(outcome.output.starts_with("heddle-c++: error: ")) << outcome.output;
    EXPECT_TRUE(has(outcome.output, words)) << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1);
  }
  shop_.must("$CXX -fsanitize=thread -fno-sanitize=thread -c b.cpp && $CXX -static -c b.cpp");
  shop_.must("$CXX -fsanitize=address,undefined -fno-sanitize=all -c b.cpp");
  shop_.must("$CXX -fsanitize=undefined -c b.cpp");
}

TEST_F(Driver, SwitchesItselfOff) {
  std::string command = shop_.must("HEDDLE_PLAIN=1 $CXX -### a.cpp");
  EXPECT_FALSE(has(command, "heddle_"));
}

TEST_F(Driver, DropsOptionsThatOnlyGccKnows) {
  shop_.must(
      "$CXX -Werror -fno-tree-loop-distribute-patterns -fno-var-tracking-assignments "
      "-fconserve-stack "
      "-fno-ipa-sra -Wno-maybe-uninitialized -Wduplicated-cond -mno-fp-ret-in-387 -fno-gnu-unique "
      "-ftree-vectorize -fgcse -c b.cpp");
  EXPECT_NE(shop_.shell("$CXX -fno-such-option-at-all -c b.cpp").status, 0);
}

TEST_F(Driver, SaysWhatToInstall) {
  Outcome outcome = shop_.shell("HEDDLE_CLANG_DIR=/nowhere $CXX -c b.cpp");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.output, "install the package clang-19")) << outcome.output;
}

TEST_F(Driver, SaysWhichFileIsMissing) {
  Outcome outcome = shop_.shell("mkdir -p bin && cp $CXX bin && bin/heddle-c++ -c b.cpp");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.output, "lib/heddle/heddle_pass.so is missing")) << outcome.output;
}

TEST_F(Driver, WorksThroughSymbolicLinks) {
  shop_.must("ln -s $CXX c++ && ./c++ -g a.cpp b.cpp -o p");
  EXPECT_EQ(shop_.run("p").log.modules, 1) << "b.cpp has no sites";
}

TEST_F(Driver, WorksWithCcache) {
  shop_.must("export CCACHE_DIR=$PWD/cache CCACHE_COMPILERTYPE=clang "
             "CCACHE_COMPILERCHECK='%compiler% --heddle-fingerprint'; "
             "ccache $CXX -g -c a.cpp && rm a.o && ccache $CXX -g -c a.cpp && ccache -s | grep -A1 "
             "-i 'hits' | grep -q '[1-9]' "
             "&& $CXX a.o b.cpp -o p");
  Outcome outcome = shop_.run("p");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_FALSE(outcome.log.sites.empty());
}

} // namespace
} // namespace heddle::test
