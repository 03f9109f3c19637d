// Explores the families with known numbers of classes and prints what it costs: for bench/run.
#include "explore/search.h"
#include "explore/source_dpor.h"
#include "families.h"
#include "machine.h"

#include <cstdio>
#include <ctime>

using namespace heddle::explore;

namespace {

double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// One line: name, classes found and expected, abandoned, most branches, CPU time of the search
/// and of the machine in microseconds a run. False if the numbers are not those expected.
bool explore(const char* name, const std::string& text, Equivalence equivalence,
             uint64_t expected) {
  SearchOptions options;
  options.equivalence = equivalence;
  test::Program program = test::parse(text);
  Search search(options);
  double executing = 0;
  size_t most = 0;
  double started = cpuSeconds();
  while (auto task = search.next()) {
    double before = cpuSeconds();
    Run run = test::execute(program, task->schedule);
    executing += cpuSeconds() - before;
    search.report(task->number, run);
    most = std::max(most, search.branches());
  }
  const SearchCounters& counters = search.counters();
  double searching = cpuSeconds() - started - executing;
  auto runs = static_cast<double>(counters.runs);
  std::printf("  %-16s %-15s %9llu %9llu %9llu %9zu %9.0f %9.0f\n", name,
              equivalence == Equivalence::ReadsFrom ? "reads-from" : "value schedules",
              static_cast<unsigned long long>(counters.complete),
              static_cast<unsigned long long>(expected),
              static_cast<unsigned long long>(counters.abandoned), most, searching / runs * 1e6,
              executing / runs * 1e6);
  return counters.complete == expected && counters.abandoned == 0;
}

} // namespace

int main() {
  constexpr auto kValue = Equivalence::ValueSchedules;
  constexpr auto kReads = Equivalence::ReadsFrom;
  std::printf("  %-16s %-15s %9s %9s %9s %9s %9s %9s\n", "family", "equivalence", "classes",
              "expected", "abandoned", "branches", "us a run", "machine");
  bool ok = explore("readers(13)", test::readers(13), kReads, 8192);
  ok = explore("lastzero(11)", test::lastZero(11), kReads, 7168) && ok;
  ok = explore("lastzero(11)", test::lastZero(11), kValue, 7168) && ok;
  ok = explore("increments(4)", test::increments(4), kValue, 576) && ok;
  ok = explore("increments(5)", test::increments(5), kReads, 1296) && ok;
  ok = explore("locked inc(6)", test::lockedIncrements(6), kReads, 720) && ok;
  ok = explore("fibonacci(3)", test::fibonacci(3), kReads, 1698) && ok;
  ok = explore("philosophers(10)", test::philosophers(10), kReads, 1023) && ok;
  ok = explore("reorder(4)", test::reorder(4), kValue, 14400) && ok;
  ok = explore("reorder(30)", test::reorder(30), kReads, 961) && ok;
  ok = explore("indexer(13)", test::indexer(13), kReads, 64) && ok;
  ok = explore("filesystem(18)", test::filesystem(18), kReads, 32) && ok;
  return ok ? 0 : 1;
}
