#include "bench.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>

/// Runs a second of a short program: started anew, from the fork server, and restored in place.
namespace heddle::bench {

namespace {

double spawnRate(const std::string& program, int runs) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  char* argv[] = {const_cast<char*>(program.c_str()), nullptr};
  double begin = wallSeconds();
  for (int i = 0; i < runs; ++i) {
    pid_t pid = 0;
    int status = 0;
    if (posix_spawn(&pid, program.c_str(), &actions, nullptr, argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0) {
      fmt::print(stderr, "heddle-bench: {} did not run\n", program);
      std::exit(1);
    }
  }
  double rate = runs / (wallSeconds() - begin);
  posix_spawn_file_actions_destroy(&actions);
  return rate;
}

double planRate(Session& session, Isolation isolation, uint64_t runs) {
  double begin = wallSeconds();
  runPlan(session, makePlan(StrategyKind::Random, isolation, runs));
  return static_cast<double>(runs) / (wallSeconds() - begin);
}

} // namespace

int measureThroughput(const std::vector<std::string>& arguments) {
  const std::string& plain = arguments.at(0);
  const std::string& hooked = arguments.at(1);
  Session forked = openSession({hooked}, Isolation::Fork);
  Session inPlace = openSession({hooked}, Isolation::InPlace);
  planRate(forked, Isolation::Fork, 10); // started
  planRate(inPlace, Isolation::InPlace, 10);
  constexpr int rounds = 5; // in turn, so that a noisy machine disturbs all of them alike
  std::vector<double> anew, fork, restored, forkRatio, restoredRatio;
  for (int i = 0; i < rounds; ++i) {
    anew.push_back(spawnRate(plain, 200));
    fork.push_back(planRate(forked, Isolation::Fork, 1000));
    restored.push_back(planRate(inPlace, Isolation::InPlace, 20000));
    forkRatio.push_back(fork.back() / anew.back());
    restoredRatio.push_back(restored.back() / anew.back());
  }
  fmt::print("Throughput: two std::threads, about twenty sync operations (median of {} rounds)\n",
             rounds);
  fmt::print("  {:<34} {:>12} {:>8}\n", "a run is", "runs/s", "ratio");
  fmt::print("  {:<34} {:>12.0f} {:>8.1f}\n", "the plain program started anew", median(anew), 1.0);
  fmt::print("  {:<34} {:>12.0f} {:>8.1f}\n", "a child of the fork server", median(fork),
             median(forkRatio));
  fmt::print("  {:<34} {:>12.0f} {:>8.1f}\n", "restored in place", median(restored),
             median(restoredRatio));
  bool ok = verdict("in place / started anew", median(restoredRatio), ">=", 50);
  ok &= verdict("fork server / started anew", median(forkRatio), ">=", 4);
  return ok ? 0 : 1;
}

} // namespace heddle::bench
