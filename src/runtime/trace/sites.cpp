#include "runtime/trace/sites.h"

#include "runtime/base/arena.h"
#include "runtime/trace/hook_state.h"

#include <string.h>

namespace heddle::rt {

namespace {

struct SiteEntry {
  const SiteRecord* record;
  const ModuleDescriptor* module;
  uint64_t identity;
  UnseenVerdict unseen;
};

ModuleDescriptor* modules = nullptr;
ModuleDescriptor** lastModule = &modules;
uint32_t registered = 0;

SiteEntry* entries = nullptr;
uint32_t entryCount = kFirstSiteId;
uint32_t entryCapacity = 0;

uint32_t* idByIdentity = nullptr; ///< open addressing, 0 is empty
uint32_t tableSize = 0;

template <typename T> T* grown(const T* old, uint32_t oldCount, uint32_t newCount) {
  auto* memory = static_cast<T*>(runAllocate(newCount * sizeof(T)));
  if (old)
    memcpy(memory, old, oldCount * sizeof(T));
  return memory;
}

uint32_t* lookup(uint32_t* table, uint32_t size, uint64_t identity) {
  auto i = static_cast<uint32_t>(mix(1, identity) >> 32) & (size - 1);
  while (table[i] != 0 && entries[table[i]].identity != identity)
    i = (i + 1) & (size - 1);
  return &table[i];
}

void reserveEntries(uint32_t more) {
  uint32_t wanted = entryCount + more;
  if (wanted <= entryCapacity)
    return;
  uint32_t capacity = entryCapacity == 0 ? 4096 : entryCapacity;
  while (capacity < wanted)
    capacity *= 2;
  entries = grown(entries, entryCount, capacity);
  siteModes = grown(siteModes, entryCount, capacity);
  siteKinds = grown(siteKinds, entryCount, capacity);
  siteSizes = grown(siteSizes, entryCount, capacity);
  uint32_t size = capacity * 2;
  auto* table = static_cast<uint32_t*>(runAllocate(size * sizeof(uint32_t)));
  for (uint32_t id = kFirstSiteId; id < entryCount; ++id)
    *lookup(table, size, entries[id].identity) = id;
  idByIdentity = table;
  tableSize = size;
  entryCapacity = capacity;
}

void assignIds(ModuleDescriptor& module) {
  reserveEntries(module.siteCount);
  for (uint32_t i = 0; i < module.siteCount; ++i) {
    const SiteRecord& record = module.sites[i];
    uint32_t* slot = lookup(idByIdentity, tableSize, record.identity);
    if (*slot == 0) {
      *slot = entryCount;
      entries[entryCount] = {&record, &module, record.identity, UnseenVerdict::NotAsked};
      siteKinds[entryCount] = record.kind;
      siteSizes[entryCount] = record.size;
      ++entryCount;
    }
    auto size = static_cast<uint16_t>(record.size > 0xffff ? 0xffff : record.size);
    module.slots[i] = {*slot, 0, size, kSlowSlot};
  }
}

} // namespace

uint32_t siteCount() { return entryCount; }

const SiteRecord* siteRecord(SiteId site) {
  uint32_t id = raw(site);
  return id >= kFirstSiteId && id < entryCount ? entries[id].record : nullptr;
}

SiteIdentity identityOf(SiteId site) {
  uint32_t id = raw(site);
  return static_cast<SiteIdentity>(id < kFirstSiteId ? id : entries[id].identity);
}

uint8_t modeOf(SiteId site) {
  return raw(site) < entryCount && siteModes ? siteModes[raw(site)] : 0;
}

bool inOneFunction(SiteId one, SiteId other) {
  const SiteRecord* a = siteRecord(one);
  const SiteRecord* b = siteRecord(other);
  return a && b && a->functionIndex == b->functionIndex &&
         entries[raw(one)].module == entries[raw(other)].module;
}

uint32_t moduleCount() { return registered; }

ModuleDescriptor* firstModule() { return modules; }

const ModuleDescriptor* moduleOf(SiteId site) {
  uint32_t id = raw(site);
  return id >= kFirstSiteId && id < entryCount ? entries[id].module : nullptr;
}

UnseenVerdict& unseenVerdictOf(SiteId site) { return entries[raw(site)].unseen; }

bool hasSitesIn(uintptr_t begin, uintptr_t end) {
  for (const ModuleDescriptor* module = modules; module; module = module->next)
    if (auto address = reinterpret_cast<uintptr_t>(module); address >= begin && address < end)
      return true;
  return false;
}

void visitThinned(void (*visit)(const SiteSlot&, void*), void* context) {
  for (ModuleDescriptor* module = modules; module; module = module->next)
    for (uint32_t i = 0; i < module->siteCount; ++i)
      if (isThinned(module->slots[i]))
        visit(module->slots[i], context);
}

void addModule(ModuleDescriptor& module) {
  module.next = nullptr;
  *lastModule = &module;
  lastModule = &module.next;
  ++registered;
  assignIds(module);
}

bool removeModule(ModuleDescriptor& module) {
  ModuleDescriptor** link = &modules;
  while (*link && *link != &module)
    link = &(*link)->next;
  if (!*link)
    return false;
  if (lastModule == &module.next)
    lastModule = link;
  *link = module.next;
  return true;
}

void keepEntries(const ModuleDescriptor& module, KeepModule keep) {
  const ModuleDescriptor* kept = nullptr;
  for (uint32_t id = kFirstSiteId; id < entryCount; ++id) {
    if (entries[id].module != &module)
      continue;
    if (!kept)
      kept = keep(module);
    entries[id].record = kept->sites + (entries[id].record - module.sites);
    entries[id].module = kept;
  }
}

} // namespace heddle::rt
