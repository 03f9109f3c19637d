#pragma once

#include "model/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace heddle {

/// One connection to a SQLite file. Turns SQLite's codes into messages that say what to do.
class Database {
public:
  enum class Mode { ReadWrite, ReadOnly, Immutable };

  static Result<std::unique_ptr<Database>> open(const std::string& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Statements without parameters and results, separated by ";".
  Status execute(const char* sql);

  /// The last error of this connection; `doing` completes "cannot ...".
  Error error(const std::string& doing, int code) const;

  int64_t lastRowId() const;
  int64_t changes() const;
  sqlite3* handle() const { return handle_; }

private:
  Database(std::string path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}

  std::string path_;
  sqlite3* handle_;
};

/// A prepared statement. Errors of preparing and binding come back from the first step, so that
/// a call reads as one chain: Statement(db, sql).bind(a).bind(b).run().
class Statement {
public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::string_view text);
  Statement& bindBlob(std::string_view bytes);
  Statement& bind(int64_t number);
  Statement& bind(double number);

  /// For statements without results.
  Status run();

  /// Moves to the next row; false at the end.
  Result<bool> next();

  int64_t integer(int column) const;
  double real(int column) const;
  std::string bytes(int column) const;

private:
  Statement& bound(int code);

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int code_;
  int parameter_ = 0;
};

/// Takes the write lock at once, so that what is read inside cannot change before the commit.
/// Rolls back unless commit() succeeded.
class Transaction {
public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  const Status& begun() const { return begun_; }
  Status commit();

private:
  Database& database_;
  Status begun_;
  bool open_;
};

} // namespace heddle
