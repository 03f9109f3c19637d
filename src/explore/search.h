#pragma once

#include "model/result.h"
#include "probes.h"

#include <list>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace heddle::explore {

struct SearchOptions {
  Equivalence equivalence = Equivalence::ReadsFrom;
  /// Try suspicious branches first: RW > WN > WM >= WW > MM (section 6.1.2 of the thesis), and
  /// among equals the pairs of sites that were ordered this way least often. Orders of two sites
  /// that no run had yet are probed: one more run each, outside of the search.
  bool usePriorities = false;
  std::set<uint64_t> focus; ///< identities of sites: branches about these come first of all
  uint64_t memory = 0;      ///< bytes that branches may take; 0: any
  /// Only probes, of each run that has something new to try: a search of few runs, which ends when
  /// there are no more. It knows nothing of classes.
  bool onlyProbes = false;
  bool rememberClasses = false; ///< to count duplicates; memory grows with the classes
};

struct SearchCounters {
  uint64_t runs = 0;
  uint64_t complete = 0;   ///< runs that are the one of their class
  uint64_t abandoned = 0;  ///< runs that turned out to be no class of their own
  uint64_t blocked = 0;    ///< complete runs that end in a deadlock
  uint64_t failures = 0;   ///< complete runs that fail, deadlocks among them
  uint64_t probes = 0;     ///< runs that only tried an order out of turn
  uint64_t duplicates = 0; ///< complete runs of a class that was there already; 0, or a mistake
};

/// What is to be executed, by the number under which its run is to be reported.
struct Task {
  uint64_t number = 0;
  std::vector<Choice> schedule;
  bool isProbe = false; ///< may diverge, and is no part of the search then
};

/// What follows from a run of a branch: worked out without the search, so by any thread.
struct Analysis {
  bool keptPromises = false;
  bool isCanonical = false;
  uint64_t classHash = 0;
  std::vector<Branch> branches; ///< the next one in depth-first order is the last
  std::vector<Probe> probes;
  std::vector<Probe> earliest; ///< with onlyProbes
};

/// What a run was.
struct Report {
  bool isNewClass = false;
  uint64_t classHash = 0; ///< of a run that kept its promises
};

/// The search for one run of each class: hands out branches, takes the runs of them. Whoever
/// executes may take many branches before the first run comes back, and bring them in any order.
///
/// Branches are kept in depth-first order, so that there are few of them. One that is tried out of
/// order leaves its own branches at its place, and these wait for their turn: nothing is tried out
/// of order because of what was. The set of classes does not depend on the order.
///
/// Not safe for several threads at once, but for `analyse`.
class Search {
public:
  explicit Search(SearchOptions options);

  /// A branch to execute, or nothing if none is left that is not on its way.
  std::optional<Task> next();
  /// Takes the run of a task.
  Report report(uint64_t number, const Run& run) {
    return report(number, run, analyse(number, run));
  }
  /// The same in two halves. Several threads may analyse at once, as long as nobody does anything
  /// else with the search.
  Analysis analyse(uint64_t number, const Run& run) const;
  Report report(uint64_t number, const Run& run, Analysis analysis);

  void setFocus(std::set<uint64_t> sites) { options_.focus = std::move(sites); }

  bool isFinished() const { return entries_.empty(); }
  /// Whether the branches take more than `memory`: the search must end, and is not exhaustive.
  bool isTooLarge() const { return options_.memory != 0 && bytes_ > options_.memory; }
  size_t branches() const { return entries_.size(); }
  uint64_t bytes() const { return bytes_; }
  const SearchCounters& counters() const { return counters_; }
  const std::set<uint64_t>& classes() const { return classes_; } ///< with rememberClasses

  /// The state as words, for a file. Tasks that are on their way are among what is left to do.
  std::vector<uint64_t> save() const;
  /// A search that goes on where another one was saved. The options are those of `options`, but
  /// for the equivalence, which must be the same.
  static Result<Search> resume(SearchOptions options, const std::vector<uint64_t>& words);

private:
  struct Entry {
    uint64_t number = 0;
    bool isOnItsWay = false;
    bool isEligible = true; ///< to be tried out of order
    bool isOutOfOrder = false;
    Branch branch;
  };
  using Entries = std::list<Entry>;

  void add(Entries::iterator before, Branch branch, bool isEligible);
  Entries::iterator lastWaiting();
  Entries::iterator mostSuspicious();
  uint64_t timesSeen(const Branch& branch) const;
  bool isFocus(SiteIdentity first, SiteIdentity second) const;
  Analysis analyseForProbes(uint64_t number, const Run& run) const;
  void addProbes(std::vector<Probe> probes);
  void addEarliest(std::vector<Probe> probes);
  std::optional<Task> nextProbe();
  void count(const Branch& branch, const Run& run, uint64_t hash);

  SearchOptions options_;
  Entries entries_; ///< the next one in depth-first order is the last
  std::unordered_map<uint64_t, Entries::iterator> onTheirWay_;
  std::unordered_map<uint64_t, uint64_t> seenPairs_;
  std::vector<Probe> probes_, earliest_; ///< the next one is the last
  std::set<uint64_t> probesOnTheirWay_;
  uint64_t nextNumber_ = 1;
  uint64_t bytes_ = 0;
  SearchCounters counters_;
  std::set<uint64_t> classes_;
};

} // namespace heddle::explore
