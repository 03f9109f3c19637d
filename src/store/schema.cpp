#include "store/schema.h"

namespace heddle {

namespace {

/// Lists of strings (argv, env, settings, modules) are blobs: each string followed by a NUL.
/// Only tables with short rows are WITHOUT ROWID: there a look-up reads all of each row that it
/// compares with, and the schedule of a long run has megabytes. Such columns stand last, so that
/// the others are read without them.
constexpr const char* kTables = R"sql(
CREATE TABLE schema(
  version INTEGER NOT NULL,
  heddle TEXT NOT NULL);
CREATE TABLE findings(
  id TEXT NOT NULL,
  program BLOB NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  message TEXT NOT NULL,
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  times_seen INTEGER NOT NULL,
  schedule TEXT NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY(id, program));
CREATE TABLE runs(
  finding TEXT NOT NULL,
  program BLOB NOT NULL,
  command TEXT NOT NULL,
  argv BLOB NOT NULL,
  cwd BLOB NOT NULL,
  env BLOB NOT NULL,
  input BLOB NOT NULL,
  modules BLOB NOT NULL,
  heddle_version TEXT NOT NULL,
  strategy TEXT NOT NULL,
  seed INTEGER NOT NULL,
  points TEXT NOT NULL,
  settings BLOB NOT NULL,
  PRIMARY KEY(finding, program),
  FOREIGN KEY(finding, program) REFERENCES findings(id, program));
CREATE TABLE points(
  id TEXT PRIMARY KEY,
  build TEXT NOT NULL,
  sites BLOB NOT NULL,
  created TEXT NOT NULL);
CREATE TABLE current_points(
  build TEXT PRIMARY KEY,
  id TEXT NOT NULL REFERENCES points(id)) WITHOUT ROWID;
CREATE TABLE commands(
  id INTEGER PRIMARY KEY,
  command TEXT NOT NULL,
  argv BLOB NOT NULL,
  started TEXT NOT NULL,
  seconds REAL NOT NULL,
  runs INTEGER NOT NULL,
  exit_code INTEGER NOT NULL,
  findings BLOB NOT NULL);
CREATE TABLE traces(
  id INTEGER PRIMARY KEY,
  finding TEXT NOT NULL,
  program BLOB NOT NULL,
  events INTEGER NOT NULL,
  digest INTEGER NOT NULL,
  created TEXT NOT NULL);
)sql";

Result<int64_t> count(Database& database, const char* sql) {
  Statement query(database, sql);
  const Result<bool> row = query.next();
  if (!row)
    return row.error();
  return *row ? query.integer(0) : 0;
}

Error otherVersion(int64_t version, const std::string& writer, const std::string& directory) {
  return Error{"the store " + directory + " has format version " + std::to_string(version) +
               " (written by heddle " + writer +
               "), and this heddle " HEDDLE_VERSION " uses version " +
               std::to_string(kStoreVersion) + ". Nothing was changed; use heddle " + writer +
               " for it, or name another store with --store DIR"};
}

Error notAStore(const std::string& directory) {
  return Error{directory + "/store.db is a SQLite file that heddle did not write. Nothing was "
                           "changed; name another store with --store DIR"};
}

} // namespace

Result<StoreState> inspectSchema(Database& database, const std::string& directory) {
  const Result<int64_t> objects = count(database, "SELECT count(*) FROM sqlite_master");
  if (!objects)
    return objects.error();
  if (*objects == 0)
    return StoreState::Empty;
  const Result<int64_t> tables =
      count(database, "SELECT count(*) FROM pragma_table_info('schema') WHERE name IN "
                      "('version', 'heddle')");
  if (!tables)
    return tables.error();
  if (*tables != 2)
    return notAStore(directory);
  Statement query(database, "SELECT version, heddle FROM schema");
  const Result<bool> row = query.next();
  if (!row)
    return row.error();
  if (!*row)
    return notAStore(directory);
  if (query.integer(0) != kStoreVersion)
    return otherVersion(query.integer(0), query.bytes(1), directory);
  return StoreState::Current;
}

Status createSchema(Database& database, const std::string& directory) {
  Transaction transaction(database);
  if (!transaction.begun())
    return transaction.begun();
  const Result<StoreState> state = inspectSchema(database, directory);
  if (!state)
    return state.error();
  if (*state == StoreState::Current)
    return Success{};
  if (Status created = database.execute(kTables); !created)
    return created;
  Statement version(database, "INSERT INTO schema(version, heddle) VALUES(?, ?)");
  if (Status stored = version.bind(int64_t{kStoreVersion}).bind(HEDDLE_VERSION).run(); !stored)
    return stored;
  return transaction.commit();
}

} // namespace heddle
