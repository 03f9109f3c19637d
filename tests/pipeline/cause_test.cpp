#include "pipeline/runs/cause.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

ThreadDetail blocked(unsigned owner) {
  ThreadDetail thread{};
  thread.state = ThreadState::Blocked;
  thread.wait = WaitKind::Mutex;
  thread.waitOwner = owner;
  return thread;
}

CapturedRun failure(FailureKind kind, const std::string& message) {
  CapturedRun failing;
  failing.record.failure = kind;
  failing.record.message = message;
  failing.record.result.outcome = Outcome::Failed;
  return failing;
}

TEST(Cause, OfADeadlockAreTheThreadsThatWaitForEachOther) {
  // T0 waits for T1, which waits with T2 in a circle; T3 can run.
  std::vector<ThreadDetail> threads = {blocked(1), blocked(2), blocked(1), {}};
  EXPECT_EQ(waitCircle(threads), (std::vector<unsigned>{1, 2}));
  threads[2].waitOwner = raw(ThreadIndex::None);
  EXPECT_TRUE(waitCircle(threads).empty());
}

TEST(Cause, WithoutAPlaceTheMessageTellsFailuresApart) {
  EXPECT_EQ(causeOf(failure(FailureKind::Crash, "SIGSEGV")),
            causeOf(failure(FailureKind::Crash, "SIGSEGV")));
  EXPECT_NE(causeOf(failure(FailureKind::Crash, "SIGSEGV")),
            causeOf(failure(FailureKind::Crash, "SIGFPE")));
  EXPECT_NE(causeOf(failure(FailureKind::Crash, "x")),
            causeOf(failure(FailureKind::Exception, "x")));
}

} // namespace
} // namespace heddle
