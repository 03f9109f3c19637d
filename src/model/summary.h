#pragma once

#include "model/access_pair.h"
#include "model/site_catalog.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle {

/// Functions of a module that were compiled without heddle, demangled.
struct UnseenModule {
  std::string module;
  std::vector<std::string> functions;
};

/// What the analysis of the source gave a command that runs the program.
struct StaticCounts {
  uint64_t candidates = 0; ///< pairs that it cannot exclude
  uint64_t added = 0;      ///< of them, those that recordings had not shown
  uint64_t localSites = 0;
  uint64_t refutedLocalSites = 0;
};

/// What forcing patterns of accesses gave.
struct PatternCounts {
  uint64_t patterns = 0;
  uint64_t confirmed = 0;
  uint64_t runs = 0;
  uint64_t hits = 0;
  uint64_t firstConfirmed = 0; ///< run of a pattern in which it was triggered; 0: none was
  uint64_t thrashings = 0;
};

/// What a method of a paper gave instead (`atomicity --method`).
struct MethodCounts {
  std::string method;
  uint64_t runs = 0;
  uint64_t detections = 0;
  uint64_t firstDetection = 0;
  uint64_t violations = 0;
  uint64_t failures = 0;
  uint64_t thrashings = 0;
};

struct SamplingCounts {
  uint64_t behaviours = 0;
  std::string isolation;
  std::string isolationReason; ///< why not another one; may be empty
};

/// The last run of `heddle run`.
struct LastRun {
  uint64_t seed = 0;
  std::string outcome;
  int exitStatus = 0;
  uint64_t steps = 0;
  uint32_t threads = 0;
  std::string digest;
};

/// Of `check`, `races`, `atomicity`, `run`. What is empty had no part in the command.
struct SearchSummary {
  std::optional<StaticCounts> fromSource;
  std::optional<uint64_t> candidates; ///< of races and deadlocks, static ones included
  std::optional<PatternCounts> patterns;
  std::optional<MethodCounts> method;
  std::optional<SamplingCounts> sampling;
  std::vector<UnseenModule> functionsNotSeen;
  uint64_t steps = 0;
  uint64_t cut = 0;
  uint64_t outOfTime = 0;
  uint64_t minimizingRuns = 0;
  uint64_t windows = 0;
  std::optional<LastRun> lastRun;
};

enum class TestEnd {
  NothingFound,
  Found,
  OneThread, ///< passed, and there is nothing to interleave
  Skipped,
  NotRun, ///< the budget was reached, or Ctrl-C came
  Lost,   ///< control of the program was lost
};

const char* testEndName(TestEnd end);

/// What a command gave for one test of a program.
struct TestOutcome {
  std::string test; ///< "Suite.Name"
  TestEnd end = TestEnd::NotRun;
  std::string why; ///< Skipped, NotRun, Lost: the reason
  uint64_t runs = 0;
  double seconds = 0;
  std::vector<std::string> findings = {}; ///< ids
};

/// Of a command that went through a program test by test.
struct SuiteSummary {
  std::vector<TestOutcome> tests;
  std::vector<UnseenModule> functionsNotSeen;
};

/// Pairs of accesses that each stage of the static analysis leaves, in this order.
struct StageCounts {
  uint64_t original = 0;  ///< to the same member or variable, one of them a write
  uint64_t reachable = 0; ///< both run in some thread, on objects that others may know
  uint64_t aliasing = 0;  ///< they may be to the same memory
  uint64_t escaping = 0;  ///< which more than one thread can reach
  uint64_t unlocked = 0;  ///< and no common lock is held
  uint64_t parallel = 0;  ///< and neither is over before the other's thread is started
  uint64_t join = 0;      ///< or that thread joined
  uint64_t slots = 0;     ///< and the elements are not each thread's own: these are the races
};

struct ExplainedPair {
  Location other;
  std::string access;
  std::string stage; ///< that removed it; "race": none did
  std::string reason;
};

/// Why an access is or is not in a race.
struct ExplainedAccess {
  Location location;
  std::string access;
  std::string object;
  std::string alone; ///< why it has no pairs at all; empty: it has
  std::vector<ExplainedPair> pairs;
};

/// Of `analyze`.
struct AnalyzeSummary {
  std::optional<std::vector<AccessPair>> pairs;          ///< empty: not asked for
  std::optional<std::vector<SiteIdentity>> localSites;   ///< the same
  std::optional<std::vector<ExplainedAccess>> explained; ///< the same
  std::vector<std::string> interface;
  StageCounts stages;
  unsigned contextDepth = 0;
  uint64_t units = 0, functions = 0, instructions = 0, contexts = 0, threads = 0;
  std::vector<std::pair<std::string, double>> phases; ///< name and seconds
  uint64_t peakMemory = 0;
  std::vector<std::string> unknown; ///< linkage names
};

/// Of `replay`.
struct ReplaySummary {
  std::string digest;
  std::string outcome; ///< empty: there was no run
};

/// Of `minimize`.
struct MinimizeSummary {
  uint64_t runs = 0;
};

/// A step of a run that an exploration made.
struct ExploredStep {
  uint32_t thread = 0;
  std::string access;
  std::string file = {};   ///< empty: not known
  uint32_t line = 0;       ///< the same: 0
  std::string object = {}; ///< the same
};

/// A failure that an exploration came to.
struct ExploredFailure {
  std::string kind;
  uint64_t classes = 0;
  uint64_t firstRun = 0;
  std::string site = {}; ///< FILE:LINE; empty: not known
  /// Its value schedule: the first step of each pair comes before the second.
  std::vector<std::pair<ExploredStep, ExploredStep>> schedule = {};
};

/// Of `explore`.
struct ExploreSummary {
  std::string equivalence;
  uint64_t runs = 0;
  uint64_t complete = 0; ///< classes
  uint64_t failing = 0;
  uint64_t abandoned = 0;
  uint64_t blocked = 0;
  uint64_t duplicates = 0;
  uint64_t reopened = 0;
  std::vector<std::string> caveats; ///< empty: it was exhaustive
  uint64_t probes = 0;
  bool resumed = false;
  std::vector<ExploredFailure> failures;
};

/// Of `sites`, in source order.
struct SitesSummary {
  std::vector<SiteEntry> sites;
};

/// A test of a GoogleTest program, and whether it is explored.
struct ListedTest {
  std::string name;    ///< "Suite.Name"
  std::string skipped; ///< why it is not explored: "death test", "disabled" ...; empty: it is
};

/// Of `tests`.
struct TestsSummary {
  std::vector<ListedTest> tests;
};

/// One thing that heddle needs or profits from.
struct MachineCheck {
  std::string name;
  std::string state;
  std::string found;
  std::string advice;
};

/// Of `doctor`.
struct DoctorSummary {
  std::vector<MachineCheck> checks;
};

/// A command that the store knows.
struct PastCommand {
  std::string command;
  std::string program;
  std::string started;
  double seconds = 0;
  uint64_t runs = 0;
  uint64_t findings = 0;
};

/// Of `report`, the newest first.
struct HistorySummary {
  std::vector<PastCommand> commands;
};

/// One side of a pair of accesses that may race.
struct SynthAccess {
  std::string method; ///< signature of the call that makes it
  bool isWrite = false;
  std::string member;
  std::string file;
  unsigned line = 0;
};

/// A concurrent test that was written.
struct SynthTest {
  std::string name; ///< "Queue_test.cpp:push_with_pop"
  std::string calls;
  std::vector<std::vector<SynthAccess>> pairs;
  bool isForOutcome = false; ///< nothing races in it: only its outcome can be wrong
};

struct SynthClass {
  std::string name;
  uint64_t methods = 0; ///< that the sequential tests call
  uint64_t pairs = 0;
  uint64_t tests = 0;
  double seconds = 0;
};

/// Something that was left out, and why.
struct SynthOmission {
  std::string what;
  std::string reason;
};

/// What a check of one written test showed.
struct SynthCheck {
  std::string name;
  std::string calls;
  uint64_t runs = 0;
  double seconds = 0;
  bool isAnnounced = false; ///< a finding is at a place that the test is about
  bool hasOutcome = false;  ///< no serial order gives what a run gave
  bool isAsserted = false;  ///< it asserts its serial outcomes
  std::vector<std::string> findings, kinds, statuses; ///< ids; of each: kind and status
  std::string nothing;                                ///< why it has no findings, where it has none
};

struct SynthChecks {
  double serialSeconds = 0;
  double buildSeconds = 0;
  double checkSeconds = 0;
  std::vector<SynthCheck> tests;
};

/// Of `synth`.
struct SynthSummary {
  std::string folder;
  uint64_t sequentialTests = 0;
  std::vector<SynthOmission> skippedTests; ///< sequential ones
  std::vector<std::string> methods;
  std::vector<std::string> uncalledMethods;
  std::vector<SynthClass> classes;
  uint64_t pairs = 0;
  std::vector<SynthTest> tests;
  std::vector<SynthOmission> dropped;                     ///< calls of tests that were not written
  std::vector<std::pair<std::string, uint64_t>> unpaired; ///< reason and number of pairs
  double recordingSeconds = 0;
  double synthesisSeconds = 0;
  double compilingSeconds = 0;
  std::optional<SynthChecks> checks; ///< empty: not asked for
};

/// What a command tells beside its findings.
using Summary = std::variant<std::monostate, SearchSummary, SuiteSummary, AnalyzeSummary,
                             ReplaySummary, MinimizeSummary, ExploreSummary, SitesSummary,
                             TestsSummary, DoctorSummary, HistorySummary, SynthSummary>;

} // namespace heddle
