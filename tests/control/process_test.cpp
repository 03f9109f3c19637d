#include "control/process.h"

#include "control/plain_run.h"
#include "control/scratch.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

/// A plain program: spawning does not need a runtime in it.
Program shell(const std::string& script) {
  Program program;
  program.executable = "/bin/sh";
  program.arguments = {"sh", "-c", script};
  program.directory = "/";
  program.environment = {"PATH=/usr/bin:/bin"};
  return program;
}

class ProcessTest : public testing::Test {
protected:
  ProcessTest() : scratch_(std::move(*Scratch::create("line\n", true))) {}

  std::string outputOf(const std::string& script, int batch = -1) {
    scratch_.renew();
    SpawnSetup setup{batch, scratch_.input(), scratch_.output(), scratch_.temporary()};
    auto process = Process::spawn(shell(script), setup);
    if (!process)
      return process.error().message;
    status_ = process->waitForEnd(10000);
    return scratch_.readOutput();
  }

  Scratch scratch_;
  std::optional<int> status_;
};

TEST_F(ProcessTest, HasInputOutputAndStatus) {
  EXPECT_EQ(outputOf("cat; echo error >&2; exit 3"), "line\nerror\n");
  ASSERT_TRUE(status_);
  EXPECT_EQ(describeWaitStatus(*status_), "exited with status 3");
}

TEST_F(ProcessTest, EveryProcessReadsTheInputFromItsStart) {
  EXPECT_EQ(outputOf("cat"), "line\n");
  EXPECT_EQ(outputOf("cat"), "line\n");
}

TEST_F(ProcessTest, HasAnEmptyTemporaryDirectory) {
  EXPECT_EQ(outputOf("cd $TMPDIR && ls -A && echo x >left && ls"), "left\n");
  EXPECT_EQ(outputOf("cd $TMPDIR && ls -A"), "");
}

TEST_F(ProcessTest, WritesNoCoreFiles) { EXPECT_EQ(outputOf("ulimit -c"), "0\n"); }

TEST_F(ProcessTest, SeesTheSameEnvironmentEveryTime) {
  FileDescriptor batch(open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::string first = outputOf("env | sort", batch.get());
  EXPECT_EQ(first, outputOf("env | sort", batch.get()));
  EXPECT_NE(first.find("HEDDLE_BATCH_FD=198"), std::string::npos) << first;
}

TEST_F(ProcessTest, WithoutABatchTheRuntimeIsToldOfNone) {
  EXPECT_EQ(outputOf("env | grep HEDDLE_"), "");
}

TEST_F(ProcessTest, APlainRunGivesAllThatWasPrinted) {
  auto output = heddle::outputOf(shell("yes 1234567 | head -n 200000; echo end >&2"), 30);
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->size(), 200000u * 8 + 4);
  EXPECT_TRUE(output->ends_with("end\n"));
}

TEST_F(ProcessTest, APlainRunThatFailsIsAnError) {
  auto failed = heddle::outputOf(shell("echo why; exit 3"), 30);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("exited with status 3; its output was:\nwhy"),
            std::string::npos)
      << failed.error().message;
  auto slow = heddle::outputOf(shell("sleep 1000"), 0.2);
  ASSERT_FALSE(slow);
  EXPECT_NE(slow.error().message.find("did not end in 0.2 s"), std::string::npos)
      << slow.error().message;
}

TEST_F(ProcessTest, OutputIsForgottenBetweenProcesses) {
  outputOf("echo one");
  EXPECT_EQ(outputOf("echo two"), "two\n");
}

TEST_F(ProcessTest, AProgramThatCanNotStartIsAnError) {
  Program program = shell("");
  program.executable = "/not/there";
  auto process = Process::spawn(program, {});
  ASSERT_FALSE(process);
  EXPECT_NE(process.error().message.find("No such file"), std::string::npos);
}

TEST_F(ProcessTest, KillReachesWhatTheProgramStarted) {
  scratch_.renew();
  SpawnSetup setup{-1, scratch_.input(), scratch_.output(), scratch_.temporary()};
  auto process = Process::spawn(shell("sleep 1000 & echo $!; wait"), setup);
  ASSERT_TRUE(process);
  pid_t child = 0;
  for (int i = 0; i < 500 && child == 0; ++i) {
    usleep(10000);
    child = atoi(scratch_.readOutput().c_str());
  }
  ASSERT_GT(child, 0);
  process->kill();
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i) {
    usleep(10000);
    std::ifstream file("/proc/" + std::to_string(child) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    gone = text.empty() || text.find(") Z ") != std::string::npos;
  }
  EXPECT_TRUE(gone);
}

TEST(WaitStatus, NamesSignals) {
  EXPECT_EQ(describeWaitStatus(9), "was killed by SIGKILL (Killed)");
}

TEST(CpuTime, OfThisProcessGrows) {
  uint64_t before = cpuNanos(getpid());
  for (volatile int i = 0; i < 20'000'000;)
    i = i + 1;
  EXPECT_GT(cpuNanos(getpid()), before);
  EXPECT_EQ(cpuNanos(-1), 0u);
}

} // namespace
} // namespace heddle
