#include "search.h"

#include "class_hash.h"
#include "pull_order.h"
#include "reversals.h"

#include <algorithm>
#include <tuple>

namespace heddle::explore {

namespace {

constexpr uint64_t kFormat = 0x6578706c6f726531; // "explore1"

/// Runs after which probes are looked for: what is common shows early, and looking costs time.
constexpr uint64_t kRunsWithProbes = 200;

/// How many branches are looked at for the most suspicious one: the latest.
constexpr size_t kLookedAt = 1024;

/// Steps of a run in which probes are looked for where nothing else is: all pairs are looked at.
constexpr size_t kProbedSteps = 2000;

uint64_t bytesOf(const Branch& branch) {
  uint64_t bytes = sizeof(Branch) + 64;
  bytes += branch.schedule.size() * (sizeof(Choice) + sizeof(uint32_t));
  bytes += branch.stages.size() * sizeof(Stage);
  for (const Expectation& expectation : branch.expectations)
    bytes += sizeof(Expectation) + expectation.sources.size() * sizeof(StepName);
  return bytes;
}

/// How long the branch does what the run did.
size_t commonSteps(const Branch& branch, const Run& run) {
  size_t length = std::min(branch.schedule.size(), run.operations.size());
  for (size_t i = 0; i < length; ++i)
    if (branch.schedule[i] != Choice{run.operations[i].thread, run.operations[i].choice})
      return i;
  return length;
}

/// The one that leaves the run last comes last: it is the next in depth-first order.
void sortByDepth(std::vector<Branch>& branches, const Run& run) {
  std::vector<std::pair<size_t, size_t>> depths;
  for (size_t i = 0; i < branches.size(); ++i)
    depths.emplace_back(commonSteps(branches[i], run), i);
  std::sort(depths.begin(), depths.end());
  std::vector<Branch> sorted;
  for (const auto& [depth, i] : depths)
    sorted.push_back(std::move(branches[i]));
  branches = std::move(sorted);
}

uint64_t pairHash(SiteIdentity first, SiteIdentity second) { return mix(raw(first), raw(second)); }
uint64_t pairHash(const Branch& branch) { return pairHash(branch.first, branch.second); }

} // namespace

Search::Search(SearchOptions options) : options_(options) { add(entries_.end(), {}, true); }

void Search::add(Entries::iterator before, Branch branch, bool isEligible) {
  bytes_ += bytesOf(branch);
  Entry entry;
  entry.number = nextNumber_++;
  entry.isEligible = isEligible;
  entry.branch = std::move(branch);
  entries_.insert(before, std::move(entry));
}

Search::Entries::iterator Search::lastWaiting() {
  for (auto at = entries_.end(); at != entries_.begin();)
    if (!(--at)->isOnItsWay)
      return at;
  return entries_.end();
}

uint64_t Search::timesSeen(const Branch& branch) const {
  auto found = seenPairs_.find(pairHash(branch));
  return found == seenPairs_.end() ? 0 : found->second;
}

bool Search::isFocus(SiteIdentity first, SiteIdentity second) const {
  return options_.focus.contains(raw(first)) || options_.focus.contains(raw(second));
}

void Search::addProbes(std::vector<Probe> probes) {
  if (probes.empty())
    return;
  for (Probe& probe : probes)
    if (seenPairs_.try_emplace(pairHash(probe.first, probe.second), 0).second)
      probes_.push_back(std::move(probe));
  auto rank = [&](const Probe& probe) {
    return std::tuple(isFocus(probe.first, probe.second), probe.pair, probe.depth,
                      -static_cast<int64_t>(probe.distance), probe.first, probe.second);
  };
  std::sort(probes_.begin(), probes_.end(),
            [&](const Probe& a, const Probe& b) { return rank(a) < rank(b); });
}

void Search::addEarliest(std::vector<Probe> probes) {
  for (Probe& probe : probes)
    if (seenPairs_.try_emplace(mix(pairHash(probe.first, probe.second), 1 + probe.detail), 0)
            .second)
      earliest_.push_back(std::move(probe));
  // Of orders that matter, those first that somebody sees, and of different pieces of code.
  auto rank = [&](const Probe& probe) {
    return std::tuple(isFocus(probe.first, probe.second), probe.pair, probe.isRead, !probe.isAlike,
                      probe.depth, -static_cast<int64_t>(probe.distance), probe.first,
                      probe.second);
  };
  std::sort(earliest_.begin(), earliest_.end(),
            [&](const Probe& a, const Probe& b) { return rank(a) < rank(b); });
}

std::optional<Task> Search::nextProbe() {
  // Both kinds in turn: either may be what a failure needs.
  bool takesEarliest = !earliest_.empty() && (probes_.empty() || nextNumber_ % 2 == 0);
  std::vector<Probe>& list = takesEarliest ? earliest_ : probes_;
  if (list.empty())
    return std::nullopt;
  Task task{nextNumber_++, std::move(list.back().schedule), true};
  list.pop_back();
  probesOnTheirWay_.insert(task.number);
  return task;
}

/// Figure 6.5 of the thesis: the most relevant branch that was not made by one out of order.
Search::Entries::iterator Search::mostSuspicious() {
  auto rank = [&](const Entry& entry) {
    return std::tuple(isFocus(entry.branch.first, entry.branch.second),
                      static_cast<int>(entry.branch.pair),
                      -static_cast<int64_t>(timesSeen(entry.branch)));
  };
  auto best = entries_.end();
  size_t looked = 0;
  for (auto at = entries_.end(); at != entries_.begin() && looked < kLookedAt; ++looked) {
    --at;
    if (at->isOnItsWay || !at->isEligible)
      continue;
    if (best == entries_.end() || rank(*at) > rank(*best))
      best = at;
  }
  return best;
}

std::optional<Task> Search::next() {
  if (entries_.empty() && !options_.onlyProbes)
    return std::nullopt;
  if (auto probe = nextProbe())
    return probe;
  auto usual = lastWaiting();
  if (usual == entries_.end())
    return std::nullopt;
  auto chosen = options_.usePriorities && !isTooLarge() ? mostSuspicious() : usual;
  if (chosen == entries_.end())
    chosen = usual;
  chosen->isOnItsWay = true;
  chosen->isOutOfOrder = chosen != usual;
  onTheirWay_[chosen->number] = chosen;
  return Task{chosen->number, chosen->branch.schedule, false};
}

void Search::count(const Branch& branch, const Run& run, uint64_t hash) {
  ++counters_.complete;
  counters_.blocked += run.ending == Ending::Deadlock ? 1 : 0;
  counters_.failures += run.ending == Ending::Complete ? 0 : 1;
  ++seenPairs_[pairHash(branch)];
  if (options_.rememberClasses && !classes_.insert(hash).second)
    ++counters_.duplicates;
}

Analysis Search::analyseForProbes(uint64_t number, const Run& run) const {
  Analysis analysis;
  bool isKnown = onTheirWay_.contains(number) || probesOnTheirWay_.contains(number);
  if (!isKnown || run.ending == Ending::Diverged || run.operations.size() > kProbedSteps)
    return analysis;
  Execution execution(run, {});
  analysis.probes = probesOf(execution);
  analysis.earliest = earliestProbesOf(execution);
  return analysis;
}

Analysis Search::analyse(uint64_t number, const Run& run) const {
  if (options_.onlyProbes)
    return analyseForProbes(number, run);
  Analysis analysis;
  auto found = onTheirWay_.find(number);
  if (found == onTheirWay_.end())
    return analysis;
  Execution execution(run, found->second->branch);
  analysis.keptPromises = execution.keptPromises();
  if (!analysis.keptPromises)
    return analysis;
  analysis.branches = branchesOf(execution, options_.equivalence);
  sortByDepth(analysis.branches, run);
  if (options_.usePriorities && counters_.runs < kRunsWithProbes)
    analysis.probes = probesOf(execution);
  analysis.classHash = classHash(execution, options_.equivalence);
  analysis.isCanonical = isCanonical(execution);
  return analysis;
}

Report Search::report(uint64_t number, const Run& run, Analysis analysis) {
  if (probesOnTheirWay_.erase(number) != 0) {
    ++counters_.runs;
    ++counters_.probes;
    addProbes(std::move(analysis.probes));
    addEarliest(std::move(analysis.earliest));
    return {};
  }
  auto found = onTheirWay_.find(number);
  if (found == onTheirWay_.end())
    return {};
  auto entry = found->second;
  onTheirWay_.erase(found);
  ++counters_.runs;
  for (Branch& branch : analysis.branches)
    add(entry, std::move(branch), !entry->isOutOfOrder && entry->isEligible);
  addProbes(std::move(analysis.probes));
  addEarliest(std::move(analysis.earliest));
  Report report{analysis.isCanonical, analysis.classHash};
  if (report.isNewClass)
    count(entry->branch, run, report.classHash);
  else
    ++counters_.abandoned;
  bytes_ -= bytesOf(entry->branch);
  entries_.erase(entry);
  return report;
}

std::vector<uint64_t> Search::save() const {
  std::vector<uint64_t> words{kFormat,
                              static_cast<uint64_t>(options_.equivalence),
                              counters_.runs,
                              counters_.complete,
                              counters_.abandoned,
                              counters_.blocked,
                              counters_.failures,
                              counters_.probes,
                              counters_.duplicates,
                              entries_.size()};
  for (const Entry& entry : entries_) {
    words.push_back(entry.isEligible ? 1 : 0);
    write(entry.branch, words);
  }
  words.push_back(seenPairs_.size());
  std::map<uint64_t, uint64_t> sorted(seenPairs_.begin(), seenPairs_.end());
  for (const auto& [pair, times] : sorted) {
    words.push_back(pair);
    words.push_back(times);
  }
  words.push_back(classes_.size());
  words.insert(words.end(), classes_.begin(), classes_.end());
  return words;
}

Result<Search> Search::resume(SearchOptions options, const std::vector<uint64_t>& words) {
  Error broken{
      "the saved search cannot be read: it is cut short or of another version; start anew"};
  size_t at = 0;
  auto next = [&]() -> uint64_t {
    return at < words.size() ? words[at++] : (at = words.size() + 1, 0);
  };
  if (words.size() < 12 || next() != kFormat)
    return broken;
  if (next() != static_cast<uint64_t>(options.equivalence))
    return Error{"the saved search is about the other equivalence; name the one it began with"};
  Search search(options);
  search.entries_.clear();
  search.bytes_ = 0;
  for (uint64_t* counter :
       {&search.counters_.runs, &search.counters_.complete, &search.counters_.abandoned,
        &search.counters_.blocked, &search.counters_.failures, &search.counters_.probes,
        &search.counters_.duplicates})
    *counter = next();
  for (uint64_t left = next(); left > 0; --left) {
    bool isEligible = next() != 0;
    Branch branch;
    if (at > words.size() || !read(words, at, branch))
      return broken;
    search.add(search.entries_.end(), std::move(branch), isEligible);
  }
  for (uint64_t left = next(); left > 0 && at <= words.size(); --left) {
    uint64_t pair = next();
    search.seenPairs_[pair] = next();
  }
  for (uint64_t left = next(); left > 0 && at <= words.size(); --left)
    search.classes_.insert(next());
  if (at != words.size())
    return broken;
  return search;
}

} // namespace heddle::explore
