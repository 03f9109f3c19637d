#include "control/inherited_descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr int kKept = 60;
constexpr int kClosed[] = {59, 61};

int open(int number) { return dup2(STDERR_FILENO, number); }
bool isPassed(int number) { return (fcntl(number, F_GETFD) & FD_CLOEXEC) == 0; }

/// In a child, so that the test's own descriptors stay as they are.
int exitStatusOf(int (*check)()) {
  pid_t child = fork();
  if (child == 0)
    _exit(check());
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(InheritedDescriptors, AreNamedByArguments) {
  std::vector<int> named = namedDescriptors(
      {"prog", "/dev/fd/63", "--in=/proc/self/fd/7", "/dev/fd/", "/dev/fd/x", "5"});
  EXPECT_EQ(named, (std::vector<int>{63, 7}));
}

TEST(InheritedDescriptors, OnlyThoseThatAreKeptAreNotClosed) {
  int status = exitStatusOf([] {
    for (int number : {kClosed[0], kKept, kClosed[1]})
      open(number);
    passOnlyDescriptors({kKept});
    if (!isPassed(kKept) || !isPassed(STDOUT_FILENO) || !isPassed(STDERR_FILENO))
      return 1;
    return isPassed(kClosed[0]) || isPassed(kClosed[1]) ? 2 : 0;
  });
  EXPECT_EQ(status, 0);
}

} // namespace
} // namespace heddle
