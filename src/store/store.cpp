#include "store/store.h"

#include "store/database.h"
#include "store/encoding.h"
#include "store/schema.h"

#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace heddle {

namespace fs = std::filesystem;

namespace {

/// Temporary traces of processes that were killed: kept for a day, in case one is still at work.
constexpr auto kTemporaryAge = std::chrono::hours(24);

Error cannotCreate(const std::string& directory, const std::error_code& reason) {
  return Error{"cannot create the store " + directory + ": " + reason.message() +
               ". Change the permissions, or name a store in another place with --store DIR"};
}

Status prepareDirectory(const std::string& directory) {
  std::error_code error;
  const bool existed = fs::exists(directory, error);
  fs::create_directories(fs::path(directory) / "traces", error);
  if (error)
    return cannotCreate(directory, error);
  // Stores are results, not sources: keep them out of the user's commits. A failure does no harm.
  if (!existed)
    std::ofstream(fs::path(directory) / ".gitignore") << "*\n";
  return Success{};
}

void removeOldTemporaries(const std::string& directory) {
  std::error_code error;
  for (fs::directory_iterator it(fs::path(directory) / "traces", error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename().string().rfind(".new-", 0) != 0)
      continue;
    std::error_code ignored;
    const auto written = fs::last_write_time(it->path(), ignored);
    if (!ignored && fs::file_time_type::clock::now() - written > kTemporaryAge)
      fs::remove(it->path(), ignored);
  }
}

std::string databasePath(const std::string& directory) { return directory + "/store.db"; }

Result<std::unique_ptr<Database>> openWritable(const std::string& directory) {
  if (Status prepared = prepareDirectory(directory); !prepared)
    return prepared.error();
  auto database = Database::open(databasePath(directory), Database::Mode::ReadWrite);
  if (!database)
    return database;
  const Result<StoreState> state = inspectSchema(**database, directory);
  if (!state)
    return state.error();
  if (*state == StoreState::Empty) {
    if (Status created = createSchema(**database, directory); !created)
      return created.error();
  }
  // Readers then never wait for a writer. Where it cannot be had (some network file systems, a
  // switch while another process is at work) the rollback journal is as safe.
  (void)(*database)->execute("PRAGMA journal_mode=WAL");
  if (Status set = (*database)->execute("PRAGMA synchronous=FULL"); !set)
    return set.error();
  removeOldTemporaries(directory);
  return database;
}

/// Opens for reading and looks at the version, in one of SQLite's two read-only ways.
Result<std::unique_ptr<Database>> openChecked(const std::string& directory, Database::Mode mode) {
  auto database = Database::open(databasePath(directory), mode);
  if (!database)
    return database;
  const Result<StoreState> state = inspectSchema(**database, directory);
  if (!state)
    return state.error();
  if (*state == StoreState::Empty)
    return Error{"the store " + directory + " is empty; `heddle check` fills it"};
  return database;
}

Result<std::unique_ptr<Database>> openReadable(const std::string& directory) {
  const std::string path = databasePath(directory);
  std::error_code error;
  if (!fs::exists(path, error))
    return Error{"there is no store in " + directory +
                 "; `heddle check` makes one, --store DIR names one in another place"};
  auto database = openChecked(directory, Database::Mode::ReadOnly);
  if (database || ::faccessat(AT_FDCWD, directory.c_str(), W_OK, AT_EACCESS) == 0)
    return database;
  // In a folder that cannot be written SQLite cannot make its lock files. Nobody else can
  // write there either, unless a log of unfinished changes says so.
  const auto pending = fs::file_size(path + "-wal", error);
  if (!error && pending > 0)
    return database;
  return openChecked(directory, Database::Mode::Immutable);
}

} // namespace

Result<Store> Store::open(const std::string& directory, Access access) {
  auto database = access == Access::ReadWrite ? openWritable(directory) : openReadable(directory);
  if (!database)
    return database.error();
  return Store(directory, std::move(*database));
}

Store::Store(std::string directory, std::unique_ptr<Database> database)
    : directory_(std::move(directory)), database_(std::move(database)) {}

Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Status Store::logCommand(const CommandRecord& record) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  Statement insert(*database_,
                   "INSERT INTO commands(command, argv, started, seconds, runs, exit_code, "
                   "findings) VALUES(?, ?, ?, ?, ?, ?, ?)");
  insert.bind(record.command)
      .bindBlob(joinStrings(record.argv))
      .bind(record.started.empty() ? timestampNow() : record.started)
      .bind(record.seconds)
      .bind(static_cast<int64_t>(record.runs))
      .bind(int64_t{record.exitCode})
      .bindBlob(joinStrings(record.findings));
  if (Status inserted = insert.run(); !inserted)
    return inserted;
  return transaction.commit();
}

Result<std::vector<CommandRecord>> Store::commands(size_t limit) const {
  Statement query(*database_, "SELECT command, argv, started, seconds, runs, exit_code, findings "
                              "FROM commands ORDER BY id DESC LIMIT ?");
  query.bind(static_cast<int64_t>(limit));
  std::vector<CommandRecord> records;
  while (true) {
    const Result<bool> row = query.next();
    if (!row)
      return row.error();
    if (!*row)
      return records;
    records.push_back({query.bytes(0), splitStrings(query.bytes(1)), query.bytes(2), query.real(3),
                       static_cast<uint64_t>(query.integer(4)), static_cast<int>(query.integer(5)),
                       splitStrings(query.bytes(6))});
  }
}

} // namespace heddle
