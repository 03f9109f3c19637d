#include "store/store.h"

#include "store/database.h"
#include "store/encoding.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace heddle {

namespace {

std::string pathOf(const std::string& directory, const std::string& id) {
  return directory + "/traces/" + id + ".trace";
}

std::string traceId(int64_t row) { return "t" + std::to_string(row); }

Error traceError(const std::string& doing, const std::string& path) {
  const int code = errno;
  return Error{"cannot " + doing + " the trace " + path + ": " + std::strerror(code) +
               ". Free some space or change the permissions, or name a store in another place "
               "with --store DIR"};
}

/// Waits until the file's contents are on the disk.
Status flushFile(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return traceError("read", path);
  // EINVAL: a file system without a disk behind it.
  const bool failed = ::fsync(file) != 0 && errno != EINVAL;
  Status status = failed ? Status(traceError("write", path)) : Status(Success{});
  ::close(file);
  return status;
}

} // namespace

PendingTrace::~PendingTrace() {
  if (!path_.empty())
    ::unlink(path_.c_str());
}

Result<PendingTrace> Store::beginTrace() const {
  static std::atomic<unsigned> next{0};
  PendingTrace trace(directory_ + "/traces/.new-" + std::to_string(getpid()) + "-" +
                     std::to_string(next++));
  // An unwritable store is better known before a long recording than after it.
  const int file = ::open(trace.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return traceError("create", trace.path());
  ::close(file);
  return trace;
}

Result<StoredTrace> Store::keepTrace(PendingTrace pending, const std::string& findingId,
                                     const std::string& program, uint64_t events, uint64_t digest) {
  // The long part, outside of the transaction: other processes need not wait for it.
  if (Status flushed = flushFile(pending.path()); !flushed)
    return flushed.error();
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun().error();
  StoredTrace trace{"", findingId, program, events, digest, timestampNow()};
  Statement insert(*database_, "INSERT INTO traces(finding, program, events, digest, created) "
                               "VALUES(?, ?, ?, ?, ?)");
  insert.bind(trace.finding)
      .bindBlob(trace.program)
      .bind(static_cast<int64_t>(trace.events))
      .bind(static_cast<int64_t>(trace.digest))
      .bind(trace.created);
  if (Status inserted = insert.run(); !inserted)
    return inserted.error();
  trace.id = traceId(database_->lastRowId());
  // After a crash between rename and commit the next trace gets this number and replaces the
  // file: no row is ever without its file.
  if (::rename(pending.path().c_str(), pathOf(directory_, trace.id).c_str()) != 0)
    return traceError("keep", pending.path());
  pending.release();
  if (Status committed = transaction.commit(); !committed)
    return committed.error();
  return trace;
}

Result<std::vector<StoredTrace>> Store::traces() const {
  Statement query(*database_,
                  "SELECT id, finding, program, events, digest, created FROM traces ORDER BY id");
  std::vector<StoredTrace> traces;
  while (true) {
    const Result<bool> row = query.next();
    if (!row)
      return row.error();
    if (!*row)
      return traces;
    traces.push_back({traceId(query.integer(0)), query.bytes(1), query.bytes(2),
                      static_cast<uint64_t>(query.integer(3)),
                      static_cast<uint64_t>(query.integer(4)), query.bytes(5)});
  }
}

Result<std::string> Store::tracePath(const std::string& id) const {
  const auto known = traces();
  if (!known)
    return known.error();
  for (const StoredTrace& trace : *known)
    if (trace.id == id)
      return pathOf(directory_, id);
  return Error{"there is no trace " + id + " in the store " + directory_};
}

} // namespace heddle
