#include "runtime/trace/site_dump.h"

#include "runtime/trace/closed_module.h"
#include "runtime/trace/sites.h"

#include <string.h>

namespace heddle::rt {

namespace {

/// Appends strings to the dump; equal module strings are copied once per module.
class DumpWriter {
public:
  DumpWriter(char* base, uint64_t room) : base_(base), room_(room) {}

  uint32_t append(const char* text, uint64_t bytes) {
    if (used_ + bytes > room_) {
      full_ = true;
      return 0;
    }
    memcpy(base_ + used_, text, bytes);
    auto offset = static_cast<uint32_t>(used_);
    used_ += bytes;
    return offset;
  }
  bool full() const { return full_; }
  uint64_t used() const { return used_; }

private:
  char* base_;
  uint64_t room_;
  uint64_t used_ = 0;
  bool full_ = false;
};

uint32_t appendModulePath(DumpWriter& writer, const ModuleDescriptor* module) {
  const char* path = modulePath(*module);
  return writer.append(path, strlen(path) + 1);
}

} // namespace

bool dumpSites(BatchHeader& batch) {
  auto* base = reinterpret_cast<char*>(&batch) + batch.sites.offset;
  auto* header = reinterpret_cast<SiteRegionHeader*>(base);
  uint32_t count = siteCount();
  auto* dumped = reinterpret_cast<DumpedSite*>(header + 1);
  uint64_t fixed = sizeof *header + uint64_t{count} * sizeof(DumpedSite);
  if (fixed >= batch.sites.bytes)
    return false;
  DumpWriter writer(base + fixed, batch.sites.bytes - fixed);
  writer.append("", 1);
  const ModuleDescriptor* previous = nullptr;
  uint32_t strings = 0;
  uint32_t path = 0;
  for (uint32_t id = 0; id < count; ++id) {
    dumped[id] = {};
    if (id < kFirstSiteId) {
      dumped[id].record.identity = id;
      dumped[id].record.kind = SiteKind::Call;
      continue;
    }
    auto site = static_cast<SiteId>(id);
    if (const ModuleDescriptor* module = moduleOf(site); module != previous) {
      previous = module;
      strings = writer.append(module->strings, module->stringBytes);
      path = appendModulePath(writer, module);
    }
    dumped[id].record = *siteRecord(site);
    SiteRecord& record = dumped[id].record;
    uint32_t* fields[] = {&record.function, &record.file, &record.object, &record.callee,
                          &record.inlinedAt};
    for (uint32_t* field : fields)
      *field += strings;
    dumped[id].module = path;
  }
  header->siteCount = count - 1;
  header->stringBytes = static_cast<uint32_t>(writer.used());
  header->moduleCount = moduleCount();
  header->complete = !writer.full();
  return !writer.full();
}

} // namespace heddle::rt
