#include "store/store.h"

#include "store/compression.h"
#include "store/database.h"
#include "store/encoding.h"
#include "store/finding_json.h"
#include "store/program_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

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
                   "INSERT OR REPLACE INTO runs(finding, program, command, argv, cwd, env, input, "
                   "modules, heddle_version, strategy, seed, points, settings) "
                   "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  return insert.bind(findingId)
      .bindBlob(programOf(run))
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

Status writeFinding(Database& database, const Finding& finding, const std::string& program,
                    const StoredTimes& times) {
  Statement insert(database, "INSERT OR REPLACE INTO findings(id, program, kind, status, message, "
                             "schedule, json, first_seen, last_seen, times_seen) "
                             "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  return insert.bind(finding.id)
      .bindBlob(program)
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

Result<std::optional<Known>> findKnown(Database& database, const std::string& id,
                                       const std::string& program) {
  Statement query(database, "SELECT status, first_seen, last_seen, times_seen FROM findings "
                            "WHERE id = ? AND program = ?");
  query.bind(id).bindBlob(program);
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

Result<StoredRun> readRun(Database& database, const std::string& findingId,
                          const std::string& program) {
  Statement query(database,
                  "SELECT command, argv, cwd, env, input, modules, heddle_version, strategy, "
                  "seed, points, settings FROM runs WHERE finding = ? AND program = ?");
  query.bind(findingId).bindBlob(program);
  const Result<bool> row = query.next();
  if (!row)
    return row.error();
  if (!*row)
    return Error{"the store has the finding " + findingId + " but not the run behind it",
                 ErrorKind::Internal};
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

/// The id, with the program if others among these have a finding of the same id.
std::string nameAmong(const FindingSummary& summary, const std::vector<FindingSummary>& all) {
  std::vector<std::string> others;
  for (const FindingSummary& other : all)
    if (other.id == summary.id && other.program != summary.program)
      others.push_back(other.program);
  return others.empty() ? summary.id : summary.id + "@" + shortProgramName(summary.program, others);
}

std::string describe(const FindingSummary& summary, const std::vector<FindingSummary>& all) {
  return "\n  " + nameAmong(summary, all) + "  " + findingStatusName(summary.status) + " " +
         findingKindName(summary.kind) + ": " + summary.message;
}

constexpr size_t kShownCandidates = 10;

std::string describeAll(const std::vector<FindingSummary>& summaries) {
  std::string text;
  for (size_t i = 0; i < summaries.size() && i < kShownCandidates; ++i)
    text += describe(summaries[i], summaries);
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

std::string programOf(const StoredRun& run) {
  if (!run.modules.empty())
    return run.modules.front().path;
  return run.argv.empty() ? "" : run.argv.front();
}

Status Store::addFinding(const Finding& finding, const StoredRun& run) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  const std::string program = programOf(run);
  const auto known = findKnown(*database_, finding.id, program);
  if (!known)
    return known.error();
  const std::string now = timestampNow();
  if (*known && finding.status < (*known)->status) {
    Statement seen(*database_, "UPDATE findings SET last_seen = ?, times_seen = times_seen + 1 "
                               "WHERE id = ? AND program = ?");
    if (Status updated = seen.bind(now).bind(finding.id).bindBlob(program).run(); !updated)
      return updated;
    return transaction.commit();
  }
  const StoredTimes times =
      *known ? StoredTimes{(*known)->times.firstSeen, now, (*known)->times.timesSeen + 1}
             : StoredTimes{now, now, 1};
  if (Status written = writeFinding(*database_, finding, program, times); !written)
    return written;
  if (Status written = writeRun(*database_, finding.id, run); !written)
    return written;
  return transaction.commit();
}

Status Store::updateFinding(const Finding& finding, const std::string& program,
                            const StoredRun* run) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  const auto known = findKnown(*database_, finding.id, program);
  if (!known)
    return known.error();
  if (!*known)
    return Error{"there is no finding " + finding.id + " of " + program + " in the store " +
                     directory_,
                 ErrorKind::Internal};
  // The run behind it is that of the higher status, and would not fit.
  if (finding.status < (*known)->status)
    return Success{};
  if (Status written = writeFinding(*database_, finding, program, (*known)->times); !written)
    return written;
  if (Status written = run ? writeRun(*database_, finding.id, *run) : Success{}; !written)
    return written;
  return transaction.commit();
}

Status Store::removeFinding(const std::string& id, const std::string& program) {
  auto traces = this->traces();
  if (!traces)
    return traces.error();
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  for (const char* sql : {"DELETE FROM traces WHERE finding = ? AND program = ?",
                          "DELETE FROM runs WHERE finding = ? AND program = ?",
                          "DELETE FROM findings WHERE id = ? AND program = ?"}) {
    Statement remove(*database_, sql);
    if (Status removed = remove.bind(id).bindBlob(program).run(); !removed)
      return removed;
  }
  if (Status committed = transaction.commit(); !committed)
    return committed;
  for (const StoredTrace& trace : *traces)
    if (trace.finding == id && trace.program == program)
      std::remove((directory_ + "/traces/" + trace.id + ".trace").c_str());
  return Success{};
}

Status Store::importFinding(const StoredFinding& stored) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  const StoredTimes times{stored.firstSeen, stored.lastSeen, stored.timesSeen};
  if (Status written = writeFinding(*database_, stored.finding, programOf(stored.run), times);
      !written)
    return written;
  if (Status written = writeRun(*database_, stored.finding.id, stored.run); !written)
    return written;
  return transaction.commit();
}

Result<std::vector<FindingSummary>> Store::findings() const {
  Statement query(*database_,
                  "SELECT f.id, f.program, f.kind, f.status, f.message, r.argv, r.modules, "
                  "f.first_seen, f.last_seen, f.times_seen FROM findings f LEFT JOIN runs r "
                  "ON r.finding = f.id AND r.program = f.program ORDER BY f.id, f.program");
  std::vector<FindingSummary> summaries;
  while (true) {
    const Result<bool> row = query.next();
    if (!row)
      return row.error();
    if (!*row)
      return summaries;
    const auto kind = parseFindingKind(query.bytes(2));
    const auto status = parseFindingStatus(query.bytes(3));
    if (!kind || !status)
      return Error{"the store " + directory_ + " has a finding of unknown kind or status",
                   ErrorKind::Internal};
    const StringPairs modules = splitPairs(query.bytes(6));
    summaries.push_back({query.bytes(0), query.bytes(1),
                         modules.empty() ? std::string() : modules.front().second, *kind, *status,
                         query.bytes(4), splitStrings(query.bytes(5)), query.bytes(7),
                         query.bytes(8), static_cast<uint64_t>(query.integer(9))});
  }
}

namespace {

/// Those of one id: the one that is meant, or the only one whose id starts so.
Result<std::vector<FindingSummary>> matchesOf(const std::string& directory,
                                              const std::string& prefix,
                                              const std::vector<FindingSummary>& all) {
  std::vector<FindingSummary> matches;
  for (const FindingSummary& summary : all) {
    // A whole id is never ambiguous, even if another one continues it.
    if (summary.id == prefix && !matches.empty() && matches.front().id != prefix)
      matches.clear();
    const bool shadowed = !matches.empty() && matches.front().id == prefix && summary.id != prefix;
    if (summary.id.starts_with(prefix) && !shadowed)
      matches.push_back(summary);
  }
  if (matches.empty())
    return noSuchFinding(directory, prefix, all);
  const bool severalIds = std::any_of(matches.begin(), matches.end(), [&](const auto& summary) {
    return summary.id != matches.front().id;
  });
  if (severalIds)
    return Error{"the id " + prefix + " is ambiguous; it could be" + describeAll(matches)};
  return matches;
}

std::vector<std::string> programsOf(const std::vector<FindingSummary>& summaries) {
  std::vector<std::string> programs;
  for (const FindingSummary& summary : summaries)
    programs.push_back(summary.program);
  return programs;
}

Error whichProgram(const std::vector<FindingSummary>& matches) {
  const std::string& id = matches.front().id;
  std::string text = "the finding " + id + " is known of " + std::to_string(matches.size()) +
                     " programs; say which one:";
  for (const FindingSummary& summary : matches)
    text += "\n  " + id + "@" + shortProgramName(summary.program, programsOf(matches)) + "  (" +
            summary.program + ")";
  return Error{text};
}

/// Leaves one of several programs where it does not matter which: their files are gone, or they are
/// copies of one build.
void dropReplaced(std::vector<FindingSummary>& matches) {
  auto isGone = [](const FindingSummary& summary) {
    std::error_code ignored;
    return !std::filesystem::exists(summary.program, ignored);
  };
  if (!std::all_of(matches.begin(), matches.end(), isGone))
    std::erase_if(matches, isGone);
  const bool copies = std::all_of(matches.begin(), matches.end(), [&](const auto& summary) {
    return summary.buildId == matches.front().buildId;
  });
  if (copies)
    matches = {
        *std::max_element(matches.begin(), matches.end(), [](const auto& one, const auto& other) {
          return one.lastSeen < other.lastSeen;
        })};
}

} // namespace

Result<StoredFinding> Store::finding(std::string_view name) const {
  const auto [id, program] = splitFindingName(name);
  const auto all = findings();
  if (!all)
    return all.error();
  auto matches = matchesOf(directory_, normalisedPrefix(id), *all);
  if (!matches)
    return matches.error();
  if (!program.empty()) {
    const std::vector<FindingSummary> known = *matches;
    std::erase_if(*matches,
                  [&](const auto& summary) { return !meansProgram(program, summary.program); });
    if (matches->empty())
      return Error{"no program " + program + ": " + whichProgram(known).message};
  }
  if (matches->size() > 1)
    dropReplaced(*matches);
  if (matches->size() > 1)
    return whichProgram(*matches);
  return finding(matches->front());
}

Result<StoredFinding> Store::finding(const FindingSummary& summary) const {
  Statement query(*database_, "SELECT json FROM findings WHERE id = ? AND program = ?");
  const Result<bool> row = query.bind(summary.id).bindBlob(summary.program).next();
  if (!row)
    return row.error();
  Result<Finding> parsed = parseFindingJson(*row ? query.bytes(0) : "");
  if (!parsed)
    return parsed.error();
  Result<StoredRun> run = readRun(*database_, summary.id, summary.program);
  if (!run)
    return run.error();
  return StoredFinding{std::move(*parsed), std::move(*run), summary.firstSeen, summary.lastSeen,
                       summary.timesSeen};
}

Result<std::string> Store::nameOf(const std::string& id, const std::string& program) const {
  Statement query(*database_, "SELECT program FROM findings WHERE id = ? AND program <> ?");
  query.bind(id).bindBlob(program);
  std::vector<std::string> others;
  while (true) {
    const Result<bool> row = query.next();
    if (!row)
      return row.error();
    if (!*row)
      break;
    others.push_back(query.bytes(0));
  }
  return others.empty() ? id : id + "@" + shortProgramName(program, others);
}

} // namespace heddle
