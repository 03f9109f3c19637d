// Explores one program of the machine, from standard input, and prints what was found: for
// enumerate.py, which compares it with its own count.
#include "explore/class_hash.h"
#include "explore/search.h"
#include "explore/source_dpor.h"
#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string_view>

using namespace heddle::explore;

namespace {

constexpr uint64_t kMaxRuns = 2'000'000;

struct Findings {
  SearchCounters counters;
  std::set<uint64_t> classes;
  std::set<std::string> failures;
};

Findings bySearch(const test::Program& program, const SearchOptions& options) {
  Search search(options);
  Findings findings;
  while (auto task = search.next()) {
    Run run = test::execute(program, task->schedule);
    bool isNew = search.report(task->number, run).isNewClass;
    if (isNew && !run.failure.empty())
      findings.failures.insert(run.failure);
    if (search.counters().runs > kMaxRuns)
      std::exit(3);
  }
  findings.counters = search.counters();
  findings.classes = search.classes();
  return findings;
}

Findings bySourceDpor(const test::Program& program) {
  SourceDpor search;
  Findings findings;
  while (auto schedule = search.next()) {
    Run run = test::execute(
        program, *schedule, [&](const auto& enabled) { return search.choose(enabled); },
        [&](const auto& enabled, const Operation& taken) { search.took(enabled, taken); });
    uint64_t blocked = search.blocked();
    search.report(run);
    if (search.blocked() != blocked)
      continue;
    Execution execution(run, {});
    if (!findings.classes.insert(classHash(execution, Equivalence::ValueSchedules)).second)
      ++findings.counters.duplicates;
    if (!run.failure.empty())
      findings.failures.insert(run.failure);
  }
  findings.counters.complete = search.complete();
  findings.counters.abandoned = search.blocked();
  return findings;
}

} // namespace

int main(int argc, char** argv) {
  SearchOptions options;
  options.equivalence = Equivalence::ValueSchedules;
  options.rememberClasses = true;
  bool isSourceDpor = false;
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--equivalence=reads-from")
      options.equivalence = Equivalence::ReadsFrom;
    options.usePriorities = options.usePriorities || word == "--priorities";
    isSourceDpor = isSourceDpor || word == "--algorithm=source-dpor";
  }
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  test::Program program = test::parse(text);
  Findings findings = isSourceDpor ? bySourceDpor(program) : bySearch(program, options);
  const SearchCounters& counters = findings.counters;
  std::printf("classes %zu complete %llu abandoned %llu duplicates %llu\n", findings.classes.size(),
              static_cast<unsigned long long>(counters.complete),
              static_cast<unsigned long long>(counters.abandoned),
              static_cast<unsigned long long>(counters.duplicates));
  for (const std::string& failure : findings.failures)
    std::printf("failure %s\n", failure.c_str());
  return 0;
}
