#include "synth/program/test_results.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace heddle::synth {
namespace {

/// "Queue.Pop" of GoogleTest is the class Queue_Pop_Test, maybe in a namespace.
bool isClassOf(const std::string& recorded, const std::string& suite, const std::string& name) {
  std::string wanted = suite + "_" + name + "_Test";
  return recorded == wanted || recorded.ends_with("::" + wanted);
}

/// The names "Suite", "Name" of failed tests; nothing where there are no results.
std::vector<std::pair<std::string, std::string>> failedTests(const std::string& path) {
  std::vector<std::pair<std::string, std::string>> failed;
  std::ifstream file(path);
  nlohmann::json results = nlohmann::json::parse(file, nullptr, false);
  if (!results.is_object())
    return failed;
  for (const auto& suite : results.value("testsuites", nlohmann::json::array()))
    for (const auto& test : suite.value("testsuite", nlohmann::json::array()))
      if (test.contains("failures"))
        failed.emplace_back(suite.value("name", ""), test.value("name", ""));
  return failed;
}

std::vector<std::string> namesOf(const SeedTrace& trace) {
  std::vector<std::string> names;
  for (const SeedEvent& event : trace.events)
    if (event.kind == EventKind::TestBegin)
      names.push_back(event.text);
  return names;
}

} // namespace

std::vector<SkippedTest> unusableTests(const SeedTrace& trace, const CommandEnd& end,
                                       const std::string& googleTest) {
  std::vector<SkippedTest> skipped;
  std::vector<std::string> names = namesOf(trace);
  for (const auto& [suite, name] : failedTests(googleTest))
    for (const std::string& recorded : names)
      if (isClassOf(recorded, suite, name))
        skipped.push_back({recorded, "fails by itself"});
  // Who knows no more than that something failed was in the last test that began.
  if (!end.succeeded() && skipped.empty() && !names.empty())
    skipped.push_back({names.back(), "fails by itself: the program " + end.text()});
  for (const std::string& name : trace.threadedTests)
    skipped.push_back({name, "uses threads"});
  return skipped;
}

size_t keepTests(SeedTrace& trace, const std::set<std::string>& without) {
  std::vector<SeedEvent> kept;
  bool isKept = true;
  size_t count = 0;
  for (SeedEvent& event : trace.events) {
    if (event.kind == EventKind::TestBegin) {
      isKept = !without.contains(event.text);
      count += isKept;
    }
    if (isKept)
      kept.push_back(std::move(event));
  }
  trace.events = std::move(kept);
  return count;
}

} // namespace heddle::synth
