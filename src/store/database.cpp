#include "store/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace heddle {

namespace {

/// How long a process waits for another one that writes; an add takes milliseconds.
constexpr int kBusyMilliseconds = 20000;

constexpr const char* kElsewhere = "name a store in another place with --store DIR";

/// SQLite says FULL only for ENOSPC; a quota and a limit on file sizes are write errors to it.
bool isDiskFull(int code) {
  return code == SQLITE_FULL || code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE ||
         code == SQLITE_IOERR_TRUNCATE || code == SQLITE_IOERR_FSYNC;
}

std::string adviceFor(int code, int systemError) {
  if (isDiskFull(code))
    return std::string("the disk is full, or a quota or limit is reached. What was stored before "
                       "is still there; free some space, or ") +
           kElsewhere;
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return "another process has held it for too long. Try again when that process is done";
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH: {
    const std::string reason = systemError ? std::strerror(systemError) : "no permission to write";
    return reason + ". Change the permissions, or " + kElsewhere;
  }
  case SQLITE_NOTADB:
  case SQLITE_CORRUPT:
    return std::string("it is damaged or was not written by heddle. Move it away, or ") +
           kElsewhere;
  default:
    return "";
  }
}

int openFlags(Database::Mode mode) {
  switch (mode) {
  case Database::Mode::ReadWrite:
    return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  case Database::Mode::ReadOnly:
    return SQLITE_OPEN_READONLY;
  case Database::Mode::Immutable:
    return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  }
  return 0;
}

std::string immutableUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      constexpr const char* hex = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', hex[byte >> 4], hex[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

} // namespace

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Mode mode) {
  sqlite3* handle = nullptr;
  const std::string name = mode == Mode::Immutable ? immutableUri(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &handle, openFlags(mode), nullptr);
  std::unique_ptr<Database> database(new Database(path, handle));
  if (code != SQLITE_OK)
    return database->error("open", code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  return database;
}

Database::~Database() { sqlite3_close_v2(handle_); }

Status Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK)
    return error("use", code);
  return Success{};
}

Error Database::error(const std::string& doing, int code) const {
  const std::string start = "cannot " + doing + " the store " + path_ + ": ";
  const int systemError = handle_ ? sqlite3_system_errno(handle_) : ENOMEM;
  const std::string advice = adviceFor(code, systemError);
  if (!advice.empty())
    return Error{start + advice, ErrorKind::Usage};
  return Error{start + (handle_ ? sqlite3_errmsg(handle_) : "out of memory"), ErrorKind::Internal};
}

int64_t Database::lastRowId() const { return sqlite3_last_insert_rowid(handle_); }
int64_t Database::changes() const { return sqlite3_changes64(handle_); }

Statement::Statement(Database& database, const char* sql)
    : database_(database),
      code_(sqlite3_prepare_v2(database.handle(), sql, -1, &statement_, nullptr)) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bound(int code) {
  if (code_ == SQLITE_OK)
    code_ = code;
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  return bound(sqlite3_bind_text64(statement_, ++parameter_, text.data(), text.size(),
                                   SQLITE_TRANSIENT, SQLITE_UTF8));
}

Statement& Statement::bindBlob(std::string_view bytes) {
  // A null pointer would bind NULL, not an empty blob.
  const void* data = bytes.empty() ? static_cast<const void*>("") : bytes.data();
  return bound(sqlite3_bind_blob64(statement_, ++parameter_, data, bytes.size(), SQLITE_TRANSIENT));
}

Statement& Statement::bind(int64_t number) {
  return bound(sqlite3_bind_int64(statement_, ++parameter_, number));
}

Statement& Statement::bind(double number) {
  return bound(sqlite3_bind_double(statement_, ++parameter_, number));
}

Status Statement::run() {
  const Result<bool> row = next();
  if (!row)
    return row.error();
  return Success{};
}

Result<bool> Statement::next() {
  if (code_ != SQLITE_OK)
    return database_.error("use", code_);
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE)
    return false;
  return database_.error(sqlite3_stmt_readonly(statement_) ? "read" : "write to", code);
}

int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Statement::bytes(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return data ? std::string(data, static_cast<size_t>(size)) : std::string();
}

Transaction::Transaction(Database& database)
    : database_(database), begun_(database.execute("BEGIN IMMEDIATE")),
      open_(static_cast<bool>(begun_)) {}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself (a full disk); then this fails, and nothing is lost.
  if (open_)
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Status Transaction::commit() {
  Status status = database_.execute("COMMIT");
  if (status)
    open_ = false;
  return status;
}

} // namespace heddle
