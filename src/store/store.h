#pragma once

#include "model/finding.h"
#include "model/ids.h"
#include "model/result.h"
#include "store/pending_trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

class Database;

/// An executable or shared library of the program under test.
struct ModuleBuild {
  std::string path;
  std::string buildId; ///< hex; empty when the file has none
};

/// What has to be the same for a run to happen again; a replay compares it with what it finds.
struct StoredRun {
  std::string command;                                  ///< of heddle: "check", "run" ...
  std::vector<std::string> argv;                        ///< of the program
  std::string cwd;                                      ///< absolute
  std::vector<std::pair<std::string, std::string>> env; ///< the chosen variables, in order
  std::string input;                                    ///< a copy of standard input, any bytes
  std::vector<ModuleBuild> modules;                     ///< the executable first
  std::string heddleVersion;                            ///< that made the run
  std::string strategy;
  uint64_t seed = 0;
  std::string pointsId; ///< of the set of scheduling points; empty: none was listed
  /// The rest of the plan as option names and values ("points" "shared", "max-steps" "100000").
  /// The store keeps it and does not look into it.
  std::vector<std::pair<std::string, std::string>> settings;
};

/// The program that the run is of: the path of its executable.
std::string programOf(const StoredRun& run);

struct StoredFinding {
  Finding finding;
  StoredRun run;
  std::string firstSeen; ///< UTC, "2025-01-31T12:00:00Z"
  std::string lastSeen;
  uint64_t timesSeen = 1; ///< number of commands that reported it
};

/// A line of a list of findings.
struct FindingSummary {
  std::string id;
  std::string program; ///< see programOf
  std::string buildId; ///< of the program when it was found
  FindingKind kind;
  FindingStatus status;
  std::string message;
  std::vector<std::string> argv;
  std::string firstSeen;
  std::string lastSeen;
  uint64_t timesSeen = 1;
};

/// A set of scheduling points: what recordings of one build found shared. Never changes; a union
/// with more sites is another set with another id.
struct PointsSet {
  std::string id; ///< "P-" and a hash of build and sites
  std::string build;
  std::vector<SiteIdentity> sites; ///< sorted, each once
};

/// One line of the log of commands: what was run, and what it gave.
struct CommandRecord {
  std::string command;
  std::vector<std::string> argv;
  std::string started; ///< UTC; filled in by the store when empty
  double seconds = 0;
  uint64_t runs = 0;
  int exitCode = 0;
  std::vector<std::string> findings; ///< ids
};

struct StoredTrace {
  std::string id;      ///< "t1", "t2" ...
  std::string finding; ///< id of the finding it shows, or empty
  std::string program; ///< of which it is
  uint64_t events = 0;
  uint64_t digest = 0;
  std::string created;
};

/// The `.heddle/` folder: findings, the runs behind them, sets of scheduling points and the log of
/// commands in store.db (SQLite), traces as compressed files in traces/. docs/formats.md has the
/// layout.
///
/// Several heddle processes may use one store at the same time. Each add is one transaction: after
/// a crash, a full disk or a kill it is there as a whole or not at all, and what was stored before
/// is still there. A store that another version wrote is never changed: open() fails and says so.
/// An object of this class belongs to one thread.
class Store {
public:
  enum class Access {
    ReadWrite, ///< creates the store when there is none
    ReadOnly,  ///< fails when there is none; also works in a folder that cannot be written
  };

  static Result<Store> open(const std::string& directory, Access access = Access::ReadWrite);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::string& directory() const { return directory_; }

  /// Adds the finding with the run that shows it. A finding of this program that is there already
  /// is replaced and counted, except by one of a lower status (potential, confirmed, harmful),
  /// which only counts. The same id in another program is another entry: a run of one program is no
  /// run of the other.
  Status addFinding(const Finding& finding, const StoredRun& run);

  /// Replaces a stored finding of the program as it is (a minimized schedule, a measured
  /// probability), and with `run` the run behind it; one of a lower status changes nothing. Fails
  /// when it is not there.
  Status updateFinding(const Finding& finding, const std::string& program,
                       const StoredRun* run = nullptr);

  /// Removes a finding of the program with its run; nothing when it is not there.
  Status removeFinding(const std::string& id, const std::string& program);

  /// Takes over a finding from another store with its run and times; for `heddle replay FILE`.
  Status importFinding(const StoredFinding& stored);

  /// The finding with this id, or the only one whose id starts with it; "H-" may be left out.
  /// Of several programs that have it, `name` says which ("H-3f2a@bank"); programs whose file is
  /// gone are left out while another one is there, and of copies of one build the last one counts.
  /// The error of an ambiguous name lists the candidates.
  Result<StoredFinding> finding(std::string_view name) const;
  /// The one that findings() lists so.
  Result<StoredFinding> finding(const FindingSummary& summary) const;

  /// What finding() takes for a finding of this program: its id, and the program where others have
  /// the same.
  Result<std::string> nameOf(const std::string& id, const std::string& program) const;

  /// All findings, sorted by id and program.
  Result<std::vector<FindingSummary>> findings() const;

  /// Unites `sites` with what is known for this build and returns the set that is now current.
  /// `build` names the whole program: the build ids of its modules, as the controller joins them.
  Result<PointsSet> addPoints(const std::string& build, const std::vector<SiteIdentity>& sites);

  /// The union over all recordings of this build so far, if there was one.
  Result<std::optional<PointsSet>> currentPoints(const std::string& build) const;

  /// A set by its id, also one that is no longer current.
  Result<PointsSet> points(const std::string& id) const;

  /// Adds a set as it is, without making it current: one that came with an imported finding.
  Status importPoints(const PointsSet& set);

  Status logCommand(const CommandRecord& record);

  /// The last `limit` commands, the newest first.
  Result<std::vector<CommandRecord>> commands(size_t limit) const;

  /// A place for a trace: write it to path() with TraceWriter of model/trace_file.h, finish it and
  /// give it to keepTrace(). Dropped before that, it leaves nothing.
  Result<PendingTrace> beginTrace() const;
  Result<StoredTrace> keepTrace(PendingTrace trace, const std::string& findingId,
                                const std::string& program, uint64_t events, uint64_t digest);

  Result<std::vector<StoredTrace>> traces() const;

  /// The file of a kept trace, for TraceReader of model/trace_file.h.
  Result<std::string> tracePath(const std::string& traceId) const;

private:
  Store(std::string directory, std::unique_ptr<Database> database);

  std::string directory_;
  std::unique_ptr<Database> database_;
};

} // namespace heddle
