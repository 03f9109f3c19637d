#pragma once

#include "model/batch.h"
#include "model/result.h"

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle {

/// One site with its strings resolved. What a report needs to name a place in the program.
struct SiteEntry {
  SiteIdentity identity = SiteIdentity::None;
  SiteKind kind = SiteKind::Call;
  uint8_t flags = 0; ///< SiteFlags
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t size = 0;
  uint32_t offset = 0;
  uint32_t ordinal = 0;
  uint32_t learned = 0; ///< LearnedFlags
  uint64_t executions = 0;
  std::string linkageName;
  std::string function; ///< demangled
  std::string file;
  std::string object;
  std::string callee; ///< linkage name
  std::string inlinedAt;
  std::string module;

  /// Whether a report shows it as the user's code: not in a system header, and not one of the
  /// runtime's own entries for operations of uninstrumented code, which have no name.
  bool isUserCode() const { return (flags & kSiteLibrary) == 0 && !linkageName.empty(); }
};

/// The sites of one process, indexed by SiteId: the controller's copy of what the runtime dumps.
/// SiteIds differ between processes; use the catalog of the process that produced them.
/// Immutable after construction, so it can be shared between threads.
class SiteCatalog {
public:
  SiteCatalog() = default;
  explicit SiteCatalog(std::vector<SiteEntry> entries);

  /// Reads a site region as laid out in batch.h. Checks every offset: the region was written by
  /// a program that may have failed half-way.
  static Result<SiteCatalog> fromRegion(std::span<const std::byte> region);

  /// Number of sites; ids are 1 .. size().
  size_t size() const { return entries_.empty() ? 0 : entries_.size() - 1; }
  bool empty() const { return size() == 0; }

  /// The site, or null for SiteId::None and ids that are out of range.
  const SiteEntry* find(SiteId id) const;
  const SiteEntry* find(SiteIdentity identity) const;

  /// All entries in order of id, without the unused entry 0.
  std::span<const SiteEntry> entries() const;

private:
  std::vector<SiteEntry> entries_; ///< entry 0 is unused
  std::unordered_map<uint64_t, uint32_t> byIdentity_;
};

/// A readable form of a linkage name; the name itself when it is not mangled.
std::string demangle(const std::string& linkageName);

const char* siteKindName(SiteKind kind);

/// 16 hexadecimal digits.
std::string identityText(SiteIdentity identity);

} // namespace heddle
