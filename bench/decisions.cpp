#include "bench.h"

#include "runtime/base/context.h"

#include <atomic>
#include <climits>
#include <fmt/core.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

/// What a scheduling decision with a switch costs, beside a bare swap of two fibers and a futex
/// hand-over between two OS threads on one core.
namespace heddle::bench {

namespace {

void pinToFirstCore() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  sched_setaffinity(0, sizeof set, &set);
}

void handOver(std::atomic<int>& turn, int mine, long rounds) {
  pinToFirstCore();
  auto* word = reinterpret_cast<int*>(&turn);
  for (long i = 0; i < rounds; ++i) {
    int other = turn.load();
    while (other != mine) {
      syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, other, nullptr, nullptr, 0);
      other = turn.load();
    }
    turn.store(1 - mine);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
}

double futexNanos() {
  constexpr long rounds = 100000;
  std::atomic<int> turn{0};
  double begin = wallSeconds();
  std::thread other([&] { handOver(turn, 1, rounds); });
  std::thread self([&] { handOver(turn, 0, rounds); });
  other.join();
  self.join();
  return (wallSeconds() - begin) / (2 * rounds) * 1e9;
}

void* mainContext = nullptr;
void* fiberContext = nullptr;

[[noreturn]] void swapBack() {
  for (;;)
    rt::heddleSwitch(&fiberContext, mainContext);
}

double bareSwapNanos() {
  constexpr long rounds = 5'000'000;
  constexpr size_t stackBytes = 1 << 16;
  void* stack =
      mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fiberContext = rt::makeContext(static_cast<char*>(stack) + stackBytes, swapBack);
  double begin = wallSeconds();
  for (long i = 0; i < rounds; ++i)
    rt::heddleSwitch(&mainContext, fiberContext);
  double nanos = (wallSeconds() - begin) / (2 * rounds) * 1e9;
  munmap(stack, stackBytes);
  return nanos;
}

double decisionNanos(const std::string& program, int threads) {
  constexpr uint64_t yields = 3'000'000;
  Session session =
      openSession({program, std::to_string(threads), std::to_string(yields)}, Isolation::Fork);
  BatchReport report = runPlan(session, makePlan(StrategyKind::RoundRobin, Isolation::Fork, 1));
  const RunResult& run = report.results.at(0);
  return static_cast<double>(run.nanos) / static_cast<double>(run.steps);
}

} // namespace

int measureDecisions(const std::vector<std::string>& arguments) {
  constexpr int rounds = 5;
  fmt::print("A scheduling decision with a switch, nanoseconds (median of {} rounds)\n", rounds);
  fmt::print("  {:>7} {:>10} {:>12} {:>14} {:>8}\n", "threads", "decision", "bare swap",
             "futex hand-over", "ratio");
  bool ok = true;
  for (int threads : {2, 4, 8, 16}) {
    std::vector<double> decision, swap, futex, ratio;
    for (int i = 0; i < rounds; ++i) {
      futex.push_back(futexNanos());
      decision.push_back(decisionNanos(arguments.at(0), threads));
      swap.push_back(bareSwapNanos());
      ratio.push_back(futex.back() / decision.back());
    }
    fmt::print("  {:>7} {:>10.1f} {:>12.1f} {:>14.0f} {:>8.1f}\n", threads, median(decision),
               median(swap), median(futex), median(ratio));
    ok &= verdict(fmt::format("futex hand-over / decision, {} threads", threads), median(ratio),
                  ">=", 20);
  }
  return ok ? 0 : 1;
}

} // namespace heddle::bench
