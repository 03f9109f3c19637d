#include "fake_session.h"

#include "control/workers.h"

#include <set>

namespace heddle {
namespace {

/// All results of ten slices of seven runs, merged in order of the slices.
std::vector<uint64_t> digests(unsigned count) {
  Workers workers(fakeProgram({}), fakeOptions(), count);
  std::vector<std::vector<RunResult>> slices(10);
  Status status = workers.run(10, [&](size_t index, Session& session) {
    auto report = session.execute(fakePlan(1 + index * 7, 7));
    if (report)
      slices[index] = report->results;
  });
  EXPECT_TRUE(status);
  std::vector<uint64_t> all;
  for (const auto& slice : slices)
    for (const RunResult& result : slice)
      all.push_back(result.digest);
  return all;
}

TEST(Workers, TheirNumberDoesNotShowInTheResults) {
  std::vector<uint64_t> one = digests(1);
  EXPECT_EQ(one.size(), 70u);
  EXPECT_EQ(one, digests(2));
  EXPECT_EQ(one, digests(3));
}

TEST(Workers, SessionsLiveFromOneRunToTheNext) {
  Workers workers(fakeProgram({}), fakeOptions(), 1);
  std::set<pid_t> processes;
  for (int round = 0; round < 3; ++round)
    ASSERT_TRUE(workers.run(2, [&](size_t, Session& session) {
      ASSERT_TRUE(session.execute(fakePlan(1, 2)));
      processes.insert(session.processId());
    }));
  EXPECT_EQ(processes.size(), 1u);
  size_t sessions = 0;
  workers.visitSessions([&](Session&) { ++sessions; });
  EXPECT_EQ(sessions, 1u);
}

TEST(Workers, NoJobsIsNoWork) {
  Workers workers(fakeProgram({}), fakeOptions(), 2);
  EXPECT_TRUE(workers.run(0, [](size_t, Session&) { FAIL(); }));
}

} // namespace
} // namespace heddle
