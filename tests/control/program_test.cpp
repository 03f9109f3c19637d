#include "control/modules.h"
#include "control/program.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

std::string errorOf(std::vector<std::string> words) {
  auto program = locateProgram(std::move(words));
  return program ? "" : program.error().message;
}

TEST(Program, IsLocatedWithAnAbsolutePath) {
  auto program = locateProgram({HEDDLE_FAKE_PROGRAM, "a", "b"});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->executable[0], '/');
  EXPECT_EQ(program->arguments.size(), 3u);
  EXPECT_EQ(program->directory, std::filesystem::current_path().string());
  EXPECT_FALSE(program->buildId.empty());
}

TEST(Program, EachObstacleHasItsMessage) {
  EXPECT_NE(errorOf({}).find("no program given"), std::string::npos);
  EXPECT_NE(errorOf({"./not-there"}).find("No such file"), std::string::npos);
  EXPECT_NE(errorOf({"/tmp/"}).find("is a directory"), std::string::npos);
  EXPECT_NE(errorOf({"/bin/sh"}).find("compile it with heddle-c++"), std::string::npos);
  EXPECT_NE(errorOf({"heddle-no-such-program"}).find("on the PATH"), std::string::npos);
  EXPECT_NE(errorOf({"/proc/self/maps"}).find("is not a program (no ELF file)"), std::string::npos);
}

TEST(Program, OnlyAProgramMissesThePermission) {
  std::string folder = testing::TempDir() + "heddle-program-test";
  std::filesystem::create_directories(folder);
  std::string locked = folder + "/locked";
  std::filesystem::copy_file(HEDDLE_FAKE_PROGRAM, locked,
                             std::filesystem::copy_options::overwrite_existing);
  chmod(locked.c_str(), 0644);
  EXPECT_NE(errorOf({locked}).find("is not executable: chmod +x it"), std::string::npos);
  std::string source = folder + "/bank.cpp";
  std::ofstream(source) << "int main() {}\n";
  std::string text = errorOf({source});
  EXPECT_NE(text.find("bank.cpp is C++ source, not a program: compile it first, heddle-c++ -g "),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("chmod"), std::string::npos) << text;
  std::filesystem::remove_all(folder);
}

TEST(Program, EnvironmentIsTheSameFromEveryTerminal) {
  std::vector<std::string> own = {"PATH=/bin",       "COLUMNS=80",        "SSH_TTY=/dev/pts/1",
                                  "MY_DATA=/x",      "_=/usr/bin/heddle", "TMPDIR=/var/tmp",
                                  "GOMP_SPINCOUNT=9"};
  std::vector<std::string> chosen = chooseEnvironment(own, {"EXTRA=1", "PATH=/usr/bin"});
  std::vector<std::string> expected = {"EXTRA=1", "GOMP_SPINCOUNT=0", "MY_DATA=/x",
                                       "PATH=/usr/bin"};
  EXPECT_EQ(chosen, expected);
  EXPECT_EQ(chooseEnvironment({"A=1", "B=2"}, {"A"}),
            (std::vector<std::string>{"B=2", "GOMP_SPINCOUNT=0"}));
}

TEST(CopyInput, ReadsToTheEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "hello", 5), 5);
  close(ends[1]);
  InputCopy copy = copyInput(ends[0], 1000);
  close(ends[0]);
  EXPECT_TRUE(copy.present);
  EXPECT_FALSE(copy.stayedOpen);
  EXPECT_EQ(copy.text, "hello");
}

TEST(CopyInput, DoesNotWaitForAnOpenPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "so far", 6), 6);
  InputCopy copy = copyInput(ends[0], 50);
  close(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(copy.stayedOpen);
  EXPECT_EQ(copy.text, "so far");
}

TEST(Modules, CodeFilesAreThoseThatAreExecuted) {
  std::string maps = "7f00-7f01 r-xp 00000000 08:01 12 /usr/lib/libfoo bar.so\n"
                     "7f02-7f03 rw-p 00000000 08:01 12 /usr/lib/libdata.so\n"
                     "7f04-7f05 r-xp 00000000 00:00 0 [vdso]\n"
                     "7f06-7f07 r-xp 00000000 00:00 0 \n"
                     "7f08-7f09 r-xp 00001000 08:01 13 /bin/prog\n";
  EXPECT_EQ(codeFiles(maps), (std::vector<std::string>{"/bin/prog", "/usr/lib/libfoo bar.so"}));
}

TEST(Modules, OfThisProcess) {
  auto modules = readModules(getpid(), SiteCatalog());
  ASSERT_GE(modules.size(), 2u);
  EXPECT_TRUE(modules[0].instrumented) << "the executable comes first: " << modules[0].path;
  EXPECT_TRUE(std::any_of(modules.begin(), modules.end(), [](const ProgramModule& module) {
    return module.modelled && module.path.find("libc.so") != std::string::npos &&
           !module.buildId.empty();
  }));
}

} // namespace
} // namespace heddle
