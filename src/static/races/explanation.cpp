#include "static/races/explanation.h"

#include "model/spelling.h"
#include "static/ir/standard_library.h"
#include "static/races/descriptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace llvm;

namespace heddle::analysis {

/// Whether a name is a path, or its last parts.
static bool isPathEnd(StringRef name, StringRef path) {
  return path.ends_with(name) && (path.size() == name.size() || name.starts_with("/") ||
                                  path[path.size() - name.size() - 1] == '/');
}

Status checkFile(const Module& module, const std::string& file) {
  std::set<std::string> known;
  for (const Function& function : module)
    if (const DISubprogram* subprogram =
            function.isDeclaration() ? nullptr : function.getSubprogram()) {
      StringRef path = subprogram->getFilename();
      if (isPathEnd(file, path))
        return Success{};
      if (!isLibrary(function))
        known.insert(path.substr(path.rfind('/') + 1).str());
    }
  if (known.empty())
    return heddle::Error{"--explain needs to know lines\n  compile the program with -g",
                         ErrorKind::Usage};
  StringRef name = StringRef(file).substr(StringRef(file).rfind('/') + 1);
  std::string near = didYouMean(name.str(), {known.begin(), known.end()});
  return heddle::Error{
      fmt::format("no code of the program is in a file '{}'{}\n  --explain takes FILE:LINE, "
                  "where FILE is the path or the end of it",
                  file, near.empty() ? "" : "; did you mean " + near + "?"),
      ErrorKind::Usage};
}

const char* stageName(Stage stage) {
  switch (stage) {
  case Stage::Reachable:
    return "reachable";
  case Stage::Aliasing:
    return "aliasing";
  case Stage::Escaping:
    return "escaping";
  case Stage::Unlocked:
    return "unlocked";
  case Stage::Parallel:
    return "parallel";
  case Stage::Join:
    return "join";
  case Stage::Slots:
    return "slots";
  case Stage::Race:
    return "race";
  }
  return "";
}

namespace {

class Explainer {
public:
  Explainer(RacePairs& races, const Analyses& analyses, const std::string& file, unsigned line)
      : races_(races), analyses_(analyses), words_(analyses), file_(file), line_(line) {}

  std::vector<AccessExplanation> explain() && {
    for (const auto& [object, records] : races_.byObject())
      for (const AccessRecord& record : records)
        if (isAsked(record))
          pairUp(record, records);
    for (const Function& function : analyses_.module)
      for (uint32_t site : analyses_.sites.accesses(function))
        if (isOnLine(locate(*analyses_.sites[site].instruction)))
          explainAlone(site);
    std::vector<AccessExplanation> result;
    for (auto& [key, explanation] : found_) {
      std::sort(explanation.pairs.begin(), explanation.pairs.end(),
                [](const auto& one, const auto& other) {
                  return std::tie(other.stage, one.other.line, one.access) <
                         std::tie(one.stage, other.other.line, other.access);
                });
      result.push_back(std::move(explanation));
    }
    return result;
  }

private:
  /// An access in the program's own code, or a call that makes one.
  using Place = std::pair<uint32_t, const CallBase*>;

  bool isOnLine(const heddle::Location& location) const {
    return location.line == line_ && isPathEnd(file_, location.file);
  }

  const Instruction& shown(const AccessRecord& record) const {
    return words_.shown(*analyses_.sites[record.site].instruction, record.activation);
  }
  bool isAsked(const AccessRecord& record) const { return isOnLine(locate(shown(record))); }
  Place placeOf(const AccessRecord& record) const {
    return {record.site, analyses_.activations.all()[record.activation].userCall};
  }

  AccessExplanation& explanationOf(uint32_t site, const CallBase* call) {
    auto [entry, isNew] = found_.try_emplace({site, call});
    AccessExplanation& explanation = entry->second;
    if (isNew) {
      const AccessSite& access = analyses_.sites[site];
      explanation.location = locate(call ? *call : *access.instruction);
      explanation.access = accessName(access);
      explanation.object = access.object.str();
    }
    return explanation;
  }

  void pairUp(const AccessRecord& asked, const std::vector<AccessRecord>& records) {
    auto [site, call] = placeOf(asked);
    AccessExplanation& explanation = explanationOf(site, call);
    if (asked.fresh) {
      if (explanation.pairs.empty())
        explanation.alone = "it runs before other threads know the object";
      return;
    }
    explanation.alone.clear();
    for (const AccessRecord& other : records) {
      bool writes = analyses_.sites[asked.site].isWrite() || analyses_.sites[other.site].isWrite();
      if (!writes || !races_.overlaps(asked, other))
        continue;
      addPair(explanation, asked, other);
    }
    if (explanation.pairs.empty())
      explanation.alone = "nobody writes this memory after other threads know it";
  }

  void addPair(AccessExplanation& explanation, const AccessRecord& asked,
               const AccessRecord& other) {
    AccessExplanation::Pair pair;
    pair.other = locate(shown(other));
    pair.access = accessName(analyses_.sites[other.site]);
    judge(asked, other, pair);
    for (AccessExplanation::Pair& known : explanation.pairs)
      if (known.other.file == pair.other.file && known.other.line == pair.other.line &&
          known.access == pair.access) {
        if (pair.stage > known.stage)
          known = pair;
        return;
      }
    explanation.pairs.push_back(std::move(pair));
  }

  void judge(const AccessRecord& asked, const AccessRecord& other, AccessExplanation::Pair& pair) {
    if (other.fresh && isReported(asked, other)) {
      pair.reason = "the pointer to the object is handed over without order";
      return;
    }
    if (other.fresh) {
      pair.stage = Stage::Reachable;
      pair.reason = "the other runs before other threads know the object";
      return;
    }
    auto isAtomic = [&](const AccessRecord& record) {
      return record.atomic || analyses_.sites[record.site].isAtomic();
    };
    if (isAtomic(asked) && isAtomic(other)) {
      pair.stage = Stage::Unlocked;
      pair.reason = "both are atomic";
      return;
    }
    pair.stage = races_.judge(asked, other);
    switch (pair.stage) {
    case Stage::Unlocked:
      pair.reason = RacePairs::haveOwners(asked, other)
                        ? "the object is handed from owner to owner"
                        : lockReason(races_.commonLock(asked, other));
      break;
    case Stage::Parallel:
    case Stage::Join:
      pair.reason = threadReason(asked, other, pair.stage);
      break;
    case Stage::Slots:
      pair.reason = "each thread has an element of its own";
      break;
    default:
      pair.reason = "no common lock, and both can run at the same time";
    }
  }

  bool isReported(const AccessRecord& asked, const AccessRecord& other) const {
    return any_of(races_.pairs(), [&](const RacePair& pair) {
      return (pair.first.site == asked.site && pair.second.site == other.site) ||
             (pair.second.site == asked.site && pair.first.site == other.site);
    });
  }

  std::string lockReason(const HeldLock* lock) const {
    if (!lock)
      return "a common lock is held";
    return lock->handOver ? fmt::format("{} is set in between, and waited for",
                                        words_.objectName(lock->location))
                          : fmt::format("both hold {}", words_.lockName(*lock));
  }

  std::string threadReason(const AccessRecord& asked, const AccessRecord& other,
                           Stage stage) const {
    uint32_t one = analyses_.activations.all()[asked.activation].thread;
    uint32_t two = analyses_.activations.all()[other.activation].thread;
    bool joined = stage == Stage::Join;
    if (one == two && joined)
      return fmt::format("each {} is joined before the next one is started",
                         words_.thread(one).name);
    if (one == two)
      return fmt::format("only one thread runs both ({})", words_.thread(one).name);
    return fmt::format("{} and {} do not run at the same time there: {}", words_.thread(one).name,
                       words_.thread(two).name,
                       joined ? "one is joined before" : "one is created later");
  }

  /// An access without a record in shared memory.
  void explainAlone(uint32_t site) {
    for (const auto& [key, explanation] : found_)
      if (key.first == site)
        return;
    AccessExplanation& explanation = explanationOf(site, nullptr);
    explanation.alone = races_.isReached(site)
                            ? "only one thread can reach this memory"
                            : "no thread runs it, or only before other threads know the object";
  }

  RacePairs& races_;
  const Analyses& analyses_;
  Descriptions words_;
  const std::string& file_;
  unsigned line_;
  std::map<Place, AccessExplanation> found_;
};

} // namespace

std::vector<AccessExplanation> explainLine(RacePairs& races, const Analyses& analyses,
                                           const std::string& file, unsigned line) {
  return Explainer(races, analyses, file, line).explain();
}

} // namespace heddle::analysis
