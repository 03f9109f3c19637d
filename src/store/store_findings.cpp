#include "store/store.h"

#include "store/compression.h"
#include "store/database.h"
#include "store/encoding.h"
#include "store/finding_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace heddle {

namespace {

/// Inputs beyond this are refused when read back: no honest store holds one.
constexpr size_t kMaxInput = size_t{1} << 30;

struct StoredTimes {
  std::string firstSeen;
  std::string lastSeen;
  uint64_t timesSeen;
};

Status writeRun(Database& database, const std::string& findingId, const StoredRun& run) {
  StringPairs modules;
  for (const ModuleBuild& module : run.modules)
    modules.emplace_back(module.path, module.buildId);
  Statement insert(database,
                   "INSERT OR REPLACE INTO runs(finding, command, argv, cwd, env, input, modules, "
                   "heddle_version, strategy, seed, points, settings) "
                   "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  return insert.bind(findingId)
      .bind(run.command)
      .bindBlob(joinStrings(run.argv))
      .bindBlob(run.cwd)
      .bindBlob(joinPairs(run.env))
      .bindBlob(compress(run.input))
      .bindBlob(joinPairs(modules))
      .bind(run.heddleVersion)
      .bind(run.strategy)
      .bind(static_cast<int64_t>(run.seed))
      .bind(run.pointsId)
      .bindBlob(joinPairs(run.settings))
      .run();
}

Status writeFinding(Database& database, const Finding& finding, const StoredTimes& times) {
  Statement insert(database, "INSERT OR REPLACE INTO findings(id, kind, status, message, "
                             "schedule, json, first_seen, last_seen, times_seen) "
                             "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
  return insert.bind(finding.id)
      .bind(findingKindName(finding.kind))
      .bind(findingStatusName(finding.status))
      .bind(finding.message)
      .bind(finding.schedule)
      .bind(dumpJson(findingToJson(finding)))
      .bind(times.firstSeen)
      .bind(times.lastSeen)
      .bind(static_cast<int64_t>(times.timesSeen))
      .run();
}

struct Known {
  FindingStatus status;
  StoredTimes times;
};

Result<std::optional<Known>> findKnown(Database& database, const std::string& id) {
  Statement query(database,
                  "SELECT status, first_seen, last_seen, times_seen FROM findings WHERE id = ?");
  query.bind(id);
  const Result<bool> row = query.next();
  if (!row)
    return row.error();
  if (!*row)
    return std::optional<Known>();
  const auto status = parseFindingStatus(query.bytes(0));
  return std::optional<Known>(
      {status.value_or(FindingStatus::Potential),
       {query.bytes(1), query.bytes(2), static_cast<uint64_t>(query.integer(3))}});
}

Result<StoredRun> readRun(Database& database, const std::string& findingId) {
  Statement query(database,
                  "SELECT command, argv, cwd, env, input, modules, heddle_version, strategy, "
                  "seed, points, settings FROM runs WHERE finding = ?");
  query.bind(findingId);
  const Result<bool> row = query.next();
  if (!row)
    return row.error();
  if (!*row)
    return Error{"the store has the finding " + findingId + " but not the run behind it", 3};
  StoredRun run;
  run.command = query.bytes(0);
  run.argv = splitStrings(query.bytes(1));
  run.cwd = query.bytes(2);
  run.env = splitPairs(query.bytes(3));
  Result<std::string> input = decompress(query.bytes(4), kMaxInput);
  if (!input)
    return input.error();
  run.input = std::move(*input);
  for (auto& [path, buildId] : splitPairs(query.bytes(5)))
    run.modules.push_back({path, buildId});
  run.heddleVersion = query.bytes(6);
  run.strategy = query.bytes(7);
  run.seed = static_cast<uint64_t>(query.integer(8));
  run.pointsId = query.bytes(9);
  run.settings = splitPairs(query.bytes(10));
  return run;
}

/// "3F2A", "h-3f2a" and "H-3f2a" mean the same.
std::string normalisedPrefix(std::string_view text) {
  std::string prefix(text);
  std::transform(prefix.begin(), prefix.end(), prefix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (prefix.rfind("h-", 0) == 0)
    prefix.erase(0, 2);
  return "H-" + prefix;
}

std::string describe(const FindingSummary& summary) {
  return "\n  " + summary.id + "  " + findingStatusName(summary.status) + " " +
         findingKindName(summary.kind) + ": " + summary.message;
}

constexpr size_t kShownCandidates = 10;

std::string describeAll(const std::vector<FindingSummary>& summaries) {
  std::string text;
  for (size_t i = 0; i < summaries.size() && i < kShownCandidates; ++i)
    text += describe(summaries[i]);
  if (summaries.size() > kShownCandidates)
    text += "\n  and " + std::to_string(summaries.size() - kShownCandidates) + " more";
  return text;
}

Error noSuchFinding(const std::string& directory, const std::string& prefix,
                    const std::vector<FindingSummary>& known) {
  const std::string start = "there is no finding " + prefix + " in the store " + directory;
  if (known.empty())
    return Error{start + ", which has none yet; `heddle check` fills it"};
  return Error{start + ", which has" + describeAll(known)};
}

} // namespace

Status Store::addFinding(const Finding& finding, const StoredRun& run) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  const auto known = findKnown(*database_, finding.id);
  if (!known)
    return known.error();
  const std::string now = timestampNow();
  if (*known && finding.status < (*known)->status) {
    Statement seen(*database_, "UPDATE findings SET last_seen = ?, times_seen = times_seen + 1 "
                               "WHERE id = ?");
    if (Status updated = seen.bind(now).bind(finding.id).run(); !updated)
      return updated;
    return transaction.commit();
  }
  const StoredTimes times =
      *known ? StoredTimes{(*known)->times.firstSeen, now, (*known)->times.timesSeen + 1}
             : StoredTimes{now, now, 1};
  if (Status written = writeFinding(*database_, finding, times); !written)
    return written;
  if (Status written = writeRun(*database_, finding.id, run); !written)
    return written;
  return transaction.commit();
}

Status Store::updateFinding(const Finding& finding, const StoredRun* run) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  const auto known = findKnown(*database_, finding.id);
  if (!known)
    return known.error();
  if (!*known)
    return Error{"there is no finding " + finding.id + " in the store " + directory_, 3};
  if (Status written = writeFinding(*database_, finding, (*known)->times); !written)
    return written;
  if (Status written = run ? writeRun(*database_, finding.id, *run) : Unit{}; !written)
    return written;
  return transaction.commit();
}

Status Store::importFinding(const StoredFinding& stored) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  const StoredTimes times{stored.firstSeen, stored.lastSeen, stored.timesSeen};
  if (Status written = writeFinding(*database_, stored.finding, times); !written)
    return written;
  if (Status written = writeRun(*database_, stored.finding.id, stored.run); !written)
    return written;
  return transaction.commit();
}

Result<std::vector<FindingSummary>> Store::findings() const {
  Statement query(*database_,
                  "SELECT f.id, f.kind, f.status, f.message, r.argv, f.first_seen, f.last_seen, "
                  "f.times_seen FROM findings f LEFT JOIN runs r ON r.finding = f.id "
                  "ORDER BY f.id");
  std::vector<FindingSummary> summaries;
  while (true) {
    const Result<bool> row = query.next();
    if (!row)
      return row.error();
    if (!*row)
      return summaries;
    const auto kind = parseFindingKind(query.bytes(1));
    const auto status = parseFindingStatus(query.bytes(2));
    if (!kind || !status)
      return Error{"the store " + directory_ + " has a finding of unknown kind or status", 3};
    summaries.push_back({query.bytes(0), *kind, *status, query.bytes(3),
                         splitStrings(query.bytes(4)), query.bytes(5), query.bytes(6),
                         static_cast<uint64_t>(query.integer(7))});
  }
}

Result<StoredFinding> Store::finding(std::string_view idOrPrefix) const {
  const std::string prefix = normalisedPrefix(idOrPrefix);
  const auto all = findings();
  if (!all)
    return all.error();
  std::vector<FindingSummary> matches;
  for (const FindingSummary& summary : *all) {
    if (summary.id.rfind(prefix, 0) == 0)
      matches.push_back(summary);
    // A whole id is never ambiguous, even if another one continues it.
    if (summary.id == prefix) {
      matches = {summary};
      break;
    }
  }
  if (matches.empty())
    return noSuchFinding(directory_, prefix, *all);
  if (matches.size() > 1)
    return Error{"the id " + prefix + " is ambiguous; it could be" + describeAll(matches)};
  const std::string& id = matches.front().id;

  Statement query(*database_, "SELECT json FROM findings WHERE id = ?");
  const Result<bool> row = query.bind(id).next();
  if (!row)
    return row.error();
  Result<Finding> parsed = parseFindingJson(*row ? query.bytes(0) : "");
  if (!parsed)
    return parsed.error();
  Result<StoredRun> run = readRun(*database_, id);
  if (!run)
    return run.error();
  return StoredFinding{std::move(*parsed), std::move(*run), matches.front().firstSeen,
                       matches.front().lastSeen, matches.front().timesSeen};
}

} // namespace heddle
