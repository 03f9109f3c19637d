#include "control/debugger.h"
#include "control/doctor.h"

#include "fake_session.h"

namespace heddle {
namespace {

TEST(Tool, GdbGetsTheProgramWithItsArguments) {
  Program program;
  program.executable = "/x/prog";
  program.arguments = {"./prog", "a b"};
  std::vector<std::string> words = toolCommand(program, {"/usr/bin/gdb", "-q"});
  EXPECT_EQ(words.front(), "/usr/bin/gdb");
  ASSERT_GE(words.size(), 4u);
  std::vector<std::string> end(words.end() - 4, words.end());
  EXPECT_EQ(end, (std::vector<std::string>{"-q", "--args", "/x/prog", "a b"}));
}

TEST(Tool, OthersArePutInFront) {
  Program program;
  program.executable = "/x/prog";
  program.arguments = {"./prog", "a"};
  EXPECT_EQ(toolCommand(program, {"strace", "-f"}),
            (std::vector<std::string>{"strace", "-f", "/x/prog", "a"}));
}

TEST(Tool, RunsThePlan) {
  auto program = fakeProgram({});
  auto status = runUnderTool(*program, fakePlan(1, 1), {"/usr/bin/env"});
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(*status, 0) << "the program found its plan and ended after its only run";
  EXPECT_FALSE(runUnderTool(*program, fakePlan(1, 1), {}));
}

TEST(Doctor, GivesAdviceForEverythingThatIsNotWell) {
  auto checks = examineMachine("/tmp");
  EXPECT_GE(checks.size(), 10u);
  for (const DoctorCheck& check : checks)
    EXPECT_EQ(check.state == DoctorCheck::State::Ok, check.advice.empty()) << check.name;
}

TEST(Doctor, NoticesAStoreThatCanNotBeWritten) {
  auto checks = examineMachine("/proc/heddle");
  EXPECT_EQ(checks.back().name, "store");
  EXPECT_EQ(checks.back().state, DoctorCheck::State::Missing);
}

} // namespace
} // namespace heddle
