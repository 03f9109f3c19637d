#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

enum class FindingKind {
  DataRace,
  Deadlock,
  AtomicityViolation,
  Assertion,
  Crash,
  Exception,
  MemoryError,
  Hang,
  ExitStatus,
  NotLinearizable,
};

enum class FindingStatus { Potential, Confirmed, Harmful };

/// Who says so.
enum class FindingOrigin {
  Run,        ///< a run did it
  Prediction, ///< an analysis of recorded runs
  Source,     ///< an analysis of the source
};

/// A source location as a report shows it. Resolved: no ids of a run in it.
struct Location {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string function; ///< demangled
};

/// A call stack, innermost frame first.
using Stack = std::vector<Location>;

/// A site as a finding names it. What is in the fingerprint: linkage name, base name of the file,
/// object, access and ordinal; never the line.
struct FindingSite {
  Location location;
  std::string linkageName;
  std::string access; ///< "read", "write", "free", "atomic", "lock", "wait", "notify", "call"
  std::string object; ///< "Account::balance"
  std::string role;   ///< of memory that an error is about: "freed" or "allocated" here; else ""
  unsigned ordinal = 0;
  unsigned thread = 0;
  unsigned size = 0;
  Stack stack;
  std::vector<std::string> held = {}; ///< of a race: the locks that the thread holds there
};

/// One of two atomic operations that order a race on machines that keep memory's order.
struct AtomicAccess {
  Location location;
  std::string access; ///< "store", "load", "update"
  std::string order;  ///< "memory_order_relaxed"
  std::string needs;  ///< what it would have to be; empty: it is right as it is
};

/// Why a race cannot happen where memory is sequentially consistent, and is one all the same.
struct MissingOrderInfo {
  std::string object; ///< the atomic object
  AtomicAccess store;
  AtomicAccess load;
};

/// One row of the interleaving that a report shows.
struct Step {
  uint64_t index = 0; ///< number of the event in the run
  unsigned thread = 0;
  Location location;
  std::string action;    ///< "lock Account::mutex", "read Account::balance"
  std::string value;     ///< "= 100", empty when not known
  bool switched = false; ///< a preemption or another deviation brought this thread here
};

/// A thread as a report shows it.
struct ThreadInfo {
  unsigned index = 0;
  std::string path; ///< "0" is main, "2.1" the first child of main's second child
  std::string name;
  std::string state; ///< "finished", "blocked: waits for mutex Account::mutex held by T2" ...
  unsigned parent = 0;
  Stack stack;
  Stack createdAt;
  std::vector<std::string> held;
};

/// What happened in runs in which the sides of a race met and went on in one order.
struct OrderOutcome {
  unsigned firstSite = 0; ///< index in Finding::sites of the side that went first
  uint64_t runs = 0;
  uint64_t failures = 0;
};

/// A way from a thread's first function to an access, as an analysis of the source sees it.
struct CallPath {
  unsigned thread = 0;
  Stack stack;
  std::vector<std::string> held; ///< locks
};

struct PathPair {
  CallPath first; ///< to the first of the finding's sites
  CallPath second;
};

struct FailureInfo {
  FindingKind kind;
  std::string message;
  std::optional<FindingSite> site;
};

/// How often a run changes threads.
struct SwitchCounts {
  uint64_t preemptions = 0; ///< a thread that could have gone on did not
  uint64_t switches = 0;    ///< for whatever reason
};

/// Another pattern of accesses by which the same units of work break the same, or another race of
/// the same bug: it is not a finding of its own.
struct RelatedPattern {
  std::string id; ///< that it would have as a finding
  FindingStatus status = FindingStatus::Confirmed;
  unsigned pattern = 0;
  std::string message;
  std::vector<FindingSite> sites;
  std::optional<double> probability;
  std::vector<std::string> candidates;
};

/// What is reported; see docs/formats.md for its JSON. `id` is "H-" and the hex fingerprint.
struct Finding {
  std::string id;
  FindingKind kind;
  FindingStatus status = FindingStatus::Potential;
  FindingOrigin origin = FindingOrigin::Run;
  std::string message; ///< one sentence
  std::vector<FindingSite> sites;
  std::optional<unsigned> firstSite = {}; ///< of a race: the one of its sites that came first
  std::optional<FailureInfo> failure;
  std::optional<double> probability;
  std::vector<OrderOutcome> orders; ///< races: both of them
  std::string schedule;             ///< text of model/schedule_text.h
  std::string replay;               ///< the command
  std::vector<ThreadInfo> threads;
  std::vector<Step> steps;
  std::string output;             ///< the program's output in the failing run
  std::vector<std::string> notes; ///< "environment-dependent", "needs --time=any" ...
  std::string strategy;
  uint64_t seed = 0;
  uint64_t count = 0;  ///< runs of the command that failed from this cause; 0: not counted
  uint64_t run = 0;    ///< which run of the command hit it first, counted from 1
  uint64_t digest = 0; ///< of the confirming replay
  std::string test;    ///< of the program, "Suite.Name", in which it was found; empty: none
  std::optional<MissingOrderInfo> missingOrder = {}; ///< of a potential race
  std::vector<std::string> candidates = {}; ///< of a race: its sites, as candidateName has them
  std::string group = {};                   ///< what it is listed under; empty: nothing
  std::vector<PathPair> paths = {};         ///< of a static race: the ways to both sites
  unsigned pattern = 0;  ///< of an atomicity violation: its number in access_pattern.h; 0: none
  bool inferred = false; ///< of an atomicity violation: nobody declared the set
  /// Of an atomicity violation: linkage names of the unit that is torn and of the one that comes in
  /// between. Not in the JSON: the message says them.
  std::vector<std::string> units = {};
  std::vector<RelatedPattern> related = {};  ///< what else belongs to the same bug
  std::optional<SwitchCounts> switches;      ///< of the schedule, where they were counted
  std::optional<SwitchCounts> foundSwitches; ///< of the run that was found, before it was minimized
  /// What commands take for it where programs share the id; empty: the id. Not in the JSON, whose
  /// `replay` has it.
  std::string name = {};
};

/// Whether it is only told: a violation that broke nothing, of a set that nobody declared.
bool isNote(const Finding& finding);

const char* findingKindName(FindingKind kind);
const char* findingStatusName(FindingStatus status);
std::optional<FindingKind> parseFindingKind(const std::string& name);
std::optional<FindingStatus> parseFindingStatus(const std::string& name);

/// How the sides of a race are ordered: writes first, as readers of other tools know it; then by
/// place, so that ids do not depend on who came first.
bool racesFirst(const FindingSite& one, const FindingSite& other);

/// Computes the id from kind, sites and units (or the failure's site when there are no sites;
/// without that from the message and the test).
std::string fingerprint(const Finding& finding);

} // namespace heddle
