#include "control/elf_file.h"

#include <gtest/gtest.h>

#include <elf.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

class ElfFile : public testing::Test {
protected:
  std::string file(const std::string& contents) {
    std::string path = "/tmp/heddle-elf-" + std::to_string(getpid());
    std::ofstream(path, std::ios::binary) << contents;
    made_ = path;
    return path;
  }
  static std::string fakeBytes() {
    std::ifstream file(HEDDLE_FAKE_PROGRAM, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  }
  static std::string errorOf(const std::string& path) {
    auto facts = readElf(path);
    return facts ? "" : facts.error().message;
  }
  void TearDown() override { std::filesystem::remove(made_); }
  std::string made_;
};

TEST_F(ElfFile, KnowsAnInstrumentedProgram) {
  auto facts = readElf(HEDDLE_FAKE_PROGRAM);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_TRUE(facts->instrumented);
  EXPECT_TRUE(facts->dynamic);
  EXPECT_TRUE(facts->executable);
  EXPECT_FALSE(facts->threadSanitizer);
  EXPECT_FALSE(facts->buildId.empty());
}

TEST_F(ElfFile, KnowsAPlainProgram) {
  auto facts = readElf("/bin/sh");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_FALSE(facts->instrumented);
  EXPECT_TRUE(facts->executable);
}

TEST_F(ElfFile, KnowsAGoogleTestProgram) {
  auto self = readElf("/proc/self/exe");
  ASSERT_TRUE(self);
  EXPECT_TRUE(self->googleTest);
  EXPECT_TRUE(self->heddleTests.empty());
  auto fake = readElf(HEDDLE_FAKE_PROGRAM);
  ASSERT_TRUE(fake);
  EXPECT_FALSE(fake->googleTest);
}

TEST_F(ElfFile, TheBuildIdFollowsTheContents) {
  std::string bytes = fakeBytes();
  auto first = readElf(file(bytes));
  auto again = readElf(file(bytes));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->buildId, again->buildId);
}

TEST_F(ElfFile, NamesWhatAFileIsInstead) {
  EXPECT_NE(errorOf(file("#!/bin/sh\necho\n")).find("is a script (/bin/sh)"), std::string::npos);
  EXPECT_NE(errorOf(file("hello")).find("is not a program"), std::string::npos);
  EXPECT_NE(errorOf(file("")).find("is not a program"), std::string::npos);
  EXPECT_NE(errorOf("/tmp/heddle-not-there").find("cannot read"), std::string::npos);
  EXPECT_NE(errorOf(file("\177ELF")).find("damaged"), std::string::npos);
  EXPECT_NE(errorOf(file(fakeBytes().substr(0, 100))).find("damaged"), std::string::npos);
}

TEST_F(ElfFile, NamesTheWrongArchitecture) {
  std::string bytes = fakeBytes();
  bytes[18] = static_cast<char>(EM_AARCH64);
  bytes[19] = 0;
  EXPECT_NE(errorOf(file(bytes)).find("built for AArch64"), std::string::npos);
  bytes = fakeBytes();
  bytes[EI_CLASS] = ELFCLASS32;
  EXPECT_NE(errorOf(file(bytes)).find("built for the x32 ABI"), std::string::npos);
}

TEST_F(ElfFile, DamagedHeadersNeverCrash) {
  std::string bytes = fakeBytes().substr(0, 4096);
  for (size_t at = 16; at < 64; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(0xff);
    (void)!readElf(file(damaged));
  }
}

} // namespace
} // namespace heddle
