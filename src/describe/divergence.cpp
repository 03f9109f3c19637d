#include "describe/divergence.h"

#include "describe/interleaving.h"
#include "describe/operations.h"

#include "model/trace_file.h"

#include <algorithm>
#include <tuple>

namespace heddle {
namespace {

bool isWhole(const RecordedRun& run) { return run.totalEvents == run.events.size(); }

/// One run with what its operations mean.
class ReadRun {
public:
  ReadRun(const RecordedRun& run, const std::vector<Decision>& decisions)
      : run_(run), objects_(nameObjects(run)), operations_(readOperations(run, decisions)) {}

  size_t size() const { return operations_.size(); }

  std::string text(size_t index) const {
    const Operation& operation = operations_[index];
    std::string text = "T" + std::to_string(operation.thread) + " " + what(operation);
    const SiteEntry* site = shown(operation);
    if (site && !site->file.empty())
      text += " at " + site->file + ":" + std::to_string(site->line) + ":" +
              std::to_string(site->column);
    return text;
  }

  /// Not the site's identity: a change elsewhere in the function gives it another one.
  bool same(size_t index, const ReadRun& other) const {
    const Operation& mine = operations_[index];
    const Operation& theirs = other.operations_[index];
    if (std::tie(mine.thread, mine.kind) != std::tie(theirs.thread, theirs.kind))
      return false;
    const SiteEntry* site = shown(mine);
    const SiteEntry* otherSite = other.shown(theirs);
    if (!site || !otherSite)
      return !site == !otherSite;
    return site->linkageName == otherSite->linkageName && what(mine) == other.what(theirs);
  }

private:
  const SiteEntry* shown(const Operation& operation) const {
    const SiteEntry* user = run_.record.siteEntry(operation.userSite);
    const SiteEntry* site = user ? user : run_.record.siteEntry(operation.site);
    return site && !site->linkageName.empty() ? site : nullptr;
  }

  std::string what(const Operation& operation) const {
    // The address of a thread's start is that of its handle.
    bool ofThread =
        operation.kind == EventKind::ThreadStart || operation.kind == EventKind::ThreadExit;
    std::string object = ofThread ? std::string() : objects_.name(operation.address);
    return eventKindText(operation.kind) + (object.empty() ? "" : " " + object);
  }

  const RecordedRun& run_;
  ObjectNames objects_;
  std::vector<Operation> operations_;
};

} // namespace

std::string firstDifference(const RecordedRun& recorded, const RecordedRun& replayed,
                            const std::vector<Decision>& decisions) {
  if (!isWhole(recorded) || !isWhole(replayed))
    return {};
  ReadRun first(recorded, decisions), second(replayed, decisions);
  size_t common = std::min(first.size(), second.size());
  size_t at = 0;
  while (at < common && first.same(at, second))
    ++at;
  std::string step = "they part at step " + std::to_string(at + 1) + ": ";
  if (at < common)
    return step + "recorded was " + first.text(at) + ", the replay has " + second.text(at);
  if (at < first.size())
    return step + "recorded was " + first.text(at) + ", the replay ends before";
  if (at < second.size())
    return step + "the recorded run ended there, the replay has " + second.text(at);
  return {};
}

Result<RecordedRun> readKeptTrace(const std::string& path) {
  RecordedRun run;
  auto sites = TraceReader::read(path, [&](std::span<const Event> events) {
    run.events.insert(run.events.end(), events.begin(), events.end());
  });
  if (!sites)
    return sites.error();
  run.totalEvents = run.events.size();
  run.record.sites = std::make_shared<const SiteCatalog>(std::move(*sites));
  return run;
}

} // namespace heddle
