#include "model/site_catalog.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace heddle {
namespace {

/// Strings after the entries of a site region, with bounds checks.
class StringTable {
public:
  StringTable(const char* data, size_t bytes) : data_(data), bytes_(bytes) {}

  std::string at(uint32_t offset) const {
    if (offset >= bytes_)
      return {};
    size_t length = strnlen(data_ + offset, bytes_ - offset);
    return std::string(data_ + offset, length);
  }

private:
  const char* data_;
  size_t bytes_;
};

SiteEntry readEntry(const DumpedSite& dumped, const StringTable& strings) {
  const SiteRecord& record = dumped.record;
  SiteEntry entry;
  entry.identity = static_cast<SiteIdentity>(record.identity);
  entry.kind = record.kind;
  entry.flags = record.flags;
  entry.line = record.line;
  entry.column = record.column;
  entry.size = record.size;
  entry.offset = record.offset;
  entry.ordinal = record.ordinal;
  entry.learned = dumped.learned;
  entry.executions = dumped.executions;
  entry.linkageName = strings.at(record.function);
  entry.function = demangle(entry.linkageName);
  entry.file = strings.at(record.file);
  entry.object = strings.at(record.object);
  entry.callee = strings.at(record.callee);
  entry.inlinedAt = strings.at(record.inlinedAt);
  entry.module = strings.at(dumped.module);
  return entry;
}

} // namespace

SiteCatalog::SiteCatalog(std::vector<SiteEntry> entries) : entries_(std::move(entries)) {
  byIdentity_.reserve(entries_.size());
  for (size_t i = 1; i < entries_.size(); ++i)
    byIdentity_.emplace(raw(entries_[i].identity), static_cast<uint32_t>(i));
}

Result<SiteCatalog> SiteCatalog::fromRegion(std::span<const std::byte> region) {
  SiteRegionHeader header;
  if (region.size() < sizeof(header))
    return Error{"the site region is smaller than its header", ErrorKind::Internal};
  memcpy(&header, region.data(), sizeof(header));
  if (!header.complete)
    return Error{"the program did not write its site table; it may have ended too early",
                 ErrorKind::LostControl};
  size_t tableBytes = (size_t{header.siteCount} + 1) * sizeof(DumpedSite);
  if (region.size() < sizeof(header) + tableBytes + header.stringBytes)
    return Error{"the site table of the program does not fit into its region", ErrorKind::Internal};
  const std::byte* table = region.data() + sizeof(header);
  StringTable strings(reinterpret_cast<const char*>(table + tableBytes), header.stringBytes);
  std::vector<SiteEntry> entries(1);
  entries.reserve(header.siteCount + 1);
  for (uint32_t id = 1; id <= header.siteCount; ++id) {
    DumpedSite dumped;
    memcpy(&dumped, table + size_t{id} * sizeof(DumpedSite), sizeof(dumped));
    entries.push_back(readEntry(dumped, strings));
  }
  return SiteCatalog(std::move(entries));
}

const SiteEntry* SiteCatalog::find(SiteId id) const {
  if (id == SiteId::None || raw(id) >= entries_.size())
    return nullptr;
  return &entries_[raw(id)];
}

const SiteEntry* SiteCatalog::find(SiteIdentity identity) const {
  auto found = byIdentity_.find(raw(identity));
  return found == byIdentity_.end() ? nullptr : &entries_[found->second];
}

std::span<const SiteEntry> SiteCatalog::entries() const {
  if (entries_.empty())
    return {};
  return std::span(entries_).subspan(1);
}

std::string demangle(const std::string& linkageName) {
  // __cxa_demangle also takes "i" for "int": only mangled function and variable names may go in.
  if (!std::string_view(linkageName).starts_with("_Z"))
    return linkageName;
  int status = 0;
  std::unique_ptr<char, decltype(&free)> text(
      abi::__cxa_demangle(linkageName.c_str(), nullptr, nullptr, &status), &free);
  return status == 0 && text ? std::string(text.get()) : linkageName;
}

std::string identityText(SiteIdentity identity) {
  char text[20];
  snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(raw(identity)));
  return text;
}

const char* siteKindName(SiteKind kind) {
  switch (kind) {
  case SiteKind::Read:
    return "read";
  case SiteKind::Write:
    return "write";
  case SiteKind::AtomicRead:
    return "atomic read";
  case SiteKind::AtomicWrite:
    return "atomic write";
  case SiteKind::AtomicUpdate:
    return "atomic update";
  case SiteKind::Fence:
    return "fence";
  case SiteKind::RangeRead:
    return "range read";
  case SiteKind::RangeWrite:
    return "range write";
  case SiteKind::Call:
    return "call";
  case SiteKind::Spin:
    return "spin";
  case SiteKind::Enter:
    return "enter";
  }
  return "unknown";
}

} // namespace heddle
