#pragma once

#include "model/event.h"
#include "model/result.h"
#include "model/site_catalog.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// Writes the trace of one run: events in order, compressed block by block, then the site table
/// that resolves them. See docs/formats-trace.md. Not thread-safe.
///
/// A file that was not finished (full disk, killed controller) has no end block and is refused
/// by the reader with a message that says so.
class TraceWriter {
public:
  static Result<TraceWriter> create(const std::string& path);
  TraceWriter(TraceWriter&&) noexcept;
  TraceWriter& operator=(TraceWriter&&) noexcept;
  ~TraceWriter();

  Status append(std::span<const Event> events);
  /// Writes the site table and the end block.
  Status finish(const SiteCatalog& sites);
  uint64_t eventCount() const;

private:
  struct Impl;
  explicit TraceWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Reads a trace block by block, so that a trace of any length needs little memory.
class TraceReader {
public:
  using EventSink = std::function<void(std::span<const Event>)>;

  /// Reads the whole file: each block of events goes to `sink`; returns the site table.
  static Result<SiteCatalog> read(const std::string& path, const EventSink& sink);
  /// The same from memory; the path is for messages only.
  static Result<SiteCatalog> read(std::span<const std::byte> bytes, const std::string& path,
                                  const EventSink& sink);
};

} // namespace heddle
