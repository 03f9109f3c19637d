#include "synth/program/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::synth {
namespace {

std::string plural(size_t count, const std::string& word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string nameOr(const std::string& name) { return name.empty() ? "(functions)" : name; }

std::string classTable(const Synthesis& synthesis) {
  size_t width = 5;
  for (const auto& [name, one] : synthesis.classes)
    width = std::max(width, nameOr(name).size());
  std::string text = fmt::format("  {:{}}  methods  pairs  tests  seconds\n", "class", width);
  for (const auto& [name, one] : synthesis.classes)
    text += fmt::format("  {:{}}  {:7}  {:5}  {:5}  {:7.3f}\n", nameOr(name), width, one.methods,
                        one.pairs, one.tests, one.seconds);
  return text;
}

template <typename Range, typename Text>
std::string section(const std::string& title, const Range& range, Text textOf) {
  if (range.empty())
    return "";
  std::string text = title + ":\n";
  for (const auto& one : range)
    text += "  " + textOf(one) + "\n";
  return text;
}

std::vector<SynthAccess> accessesOf(const SeedTrace& trace, const Synthesis& synthesis,
                                    const RacingPair& pair) {
  std::vector<SynthAccess> sides;
  for (const RaceSide& side : pair.sides) {
    const CallSummary& call = synthesis.calls[raw(side.call)];
    const Access& access = call.accesses[side.access];
    sides.push_back({trace.methods[raw(call.method)].signature, access.isWrite,
                     access.member.name(), access.place.file, access.place.line});
  }
  return sides;
}

SynthTest testOf(const GeneratedTests& tests, const SynthesizedTest& test) {
  auto name = tests.written.names.find(test.text);
  SynthTest made{name == tests.written.names.end() ? "" : name->second,
                 test.text,
                 {},
                 test.aim == Aim::Outcome};
  for (const RacingPair& pair : test.pairs)
    made.pairs.push_back(accessesOf(tests.recording.trace, tests.synthesis, pair));
  return made;
}

} // namespace

std::vector<std::pair<std::string, size_t>> reasonsOf(const Synthesis& synthesis) {
  std::map<std::string, size_t> counts;
  for (const SkippedPair& one : synthesis.skipped)
    ++counts[one.reason];
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  return sorted;
}

std::string summaryText(const GeneratedTests& tests, const std::string& folder) {
  const Synthesis& synthesis = tests.synthesis;
  std::string text = fmt::format(
      "{} in {}: {} and {} from {} that {} call\n", plural(synthesis.tests.size(), "test"), folder,
      plural(tests.written.files.size(), "file"), plural(synthesis.pairs.size(), "pair"),
      plural(synthesis.methods.size(), "method"), plural(tests.recording.tests, "sequential test"));
  text += classTable(synthesis);
  text += fmt::format("time: {:.1f} s to record, {:.2f} s for synthesis, {:.1f} s to compile what "
                      "was written\n",
                      tests.recordingSeconds, tests.synthesisSeconds, tests.compilingSeconds);
  text += section("sequential tests that were left out", tests.recording.skipped,
                  [](const SkippedTest& one) { return one.name + " " + one.reason; });
  text += section("tests that were not written", tests.dropped,
                  [](const UnwrittenTest& one) { return one.test + ": " + one.problem; });
  text += section("pairs without a test", reasonsOf(synthesis), [](const auto& one) {
    return fmt::format("{}: {}", plural(one.second, "pair"), one.first);
  });
  text += section("methods that no sequential test calls", synthesis.uncalledMethods,
                  [](const std::string& one) { return one; });
  return text;
}

SynthSummary summaryOf(const GeneratedTests& tests, const std::string& folder) {
  const Synthesis& synthesis = tests.synthesis;
  SynthSummary summary;
  summary.folder = folder;
  summary.sequentialTests = tests.recording.tests;
  for (const SkippedTest& one : tests.recording.skipped)
    summary.skippedTests.push_back({one.name, one.reason});
  summary.methods = synthesis.methods;
  summary.uncalledMethods = synthesis.uncalledMethods;
  for (const auto& [name, one] : synthesis.classes)
    summary.classes.push_back({name, one.methods, one.pairs, one.tests, one.seconds});
  summary.pairs = synthesis.pairs.size();
  for (const SynthesizedTest& test : synthesis.tests)
    summary.tests.push_back(testOf(tests, test));
  for (const UnwrittenTest& one : tests.dropped)
    summary.dropped.push_back({one.test, one.problem});
  for (const auto& [reason, count] : reasonsOf(synthesis))
    summary.unpaired.emplace_back(reason, count);
  summary.recordingSeconds = tests.recordingSeconds;
  summary.synthesisSeconds = tests.synthesisSeconds;
  summary.compilingSeconds = tests.compilingSeconds;
  return summary;
}

std::string checkText(const CheckedTests& checked) {
  size_t races = 0, outcomes = 0, others = 0, nothing = 0, announced = 0;
  for (const auto& [line, test] : checked.tests) {
    auto shows = [&](const char* kind) { return std::ranges::count(test.kinds, kind) != 0; };
    races += shows("data-race");
    outcomes += test.hasOutcome;
    others += !test.kinds.empty() && !shows("data-race") && !test.hasOutcome;
    nothing += test.kinds.empty();
    announced += test.isAnnounced;
  }
  std::string text = fmt::format(
      "checked {}: {} with a race, {} with an outcome that is not linearizable, {} with another "
      "failure alone, {} without any; {} at a place that the test is about\n",
      plural(checked.tests.size(), "test"), races, outcomes, others, nothing, announced);
  text += fmt::format("time: {:.1f} s for serial orders, {:.1f} s to build, {:.1f} s to check\n",
                      checked.serialSeconds, checked.buildSeconds, checked.checkSeconds);
  for (const auto& [line, test] : checked.tests) {
    std::string shown;
    for (size_t i = 0; i < test.findings.size(); ++i)
      shown += fmt::format("{}{} {} ({})", i ? ", " : "", test.findings[i], test.kinds[i],
                           test.statuses[i]);
    text += fmt::format("  {}: {}\n", test.name, shown.empty() ? test.nothing : shown);
  }
  return text;
}

SynthChecks checksOf(const CheckedTests& checked) {
  SynthChecks checks{checked.serialSeconds, checked.buildSeconds, checked.checkSeconds, {}};
  for (const auto& [line, test] : checked.tests)
    checks.tests.push_back({.name = test.name,
                            .calls = line,
                            .runs = test.runs,
                            .seconds = test.seconds,
                            .isAnnounced = test.isAnnounced,
                            .hasOutcome = test.hasOutcome,
                            .isAsserted = test.isAsserted,
                            .findings = test.findings,
                            .kinds = test.kinds,
                            .statuses = test.statuses,
                            .nothing = test.nothing});
  return checks;
}

} // namespace heddle::synth
