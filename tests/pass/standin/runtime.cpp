/// A stand-in for the runtime: it registers modules, sets modes as the environment says, and
/// writes what happened to a file when the program ends. Linked in heddle_rt.o's place.
///
///   STANDIN_LOG=FILE   where to write
///   STANDIN_MODE=off   no hook is switched on (the default); sync calls still have their hook
///   STANDIN_MODE=all   every access is a point, every function runs its hooked clone
///   STANDIN_MODE=entries      as all, with the entries of units of work
///   STANDIN_MODE=hooked-off   hooked clones, but no access is switched on
#include "model/site_table.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace heddle;

namespace {

constexpr int kMaxModules = 64;
constexpr int kMaxEvents = 20000;
constexpr int kMaxDepth = 100000;

struct Event {
  char kind; // a access, r range, c call, s spin
  const void* address;
  uint64_t length;
  uint32_t site;
  int depth;
  uint32_t caller; // the site in the slot below the event's own
  uint32_t orders = 0;
  uint64_t expected = 0;
};

ModuleDescriptor* modules[kMaxModules];
int moduleCount;
uint32_t nextId = 1;
Event events[kMaxEvents];
int eventCount;
long counts[128];
const uint32_t* slots[kMaxDepth];
int unregistered;

const char* mode() {
  const char* value = getenv("STANDIN_MODE");
  return value ? value : "off";
}

bool withEntries() { return strcmp(mode(), "entries") == 0; }

/// Entries of units are only there for those who ask for them, as in the runtime.
bool isOn(const SiteRecord& site) { return site.kind != SiteKind::Enter || withEntries(); }

uint32_t idOf(const SiteRecord& site) {
  for (int m = 0; m < moduleCount; ++m)
    for (uint32_t i = 0; i < modules[m]->siteCount; ++i)
      if (modules[m]->sites[i].identity == site.identity && modules[m]->slots[i].id)
        return modules[m]->slots[i].id;
  return nextId++;
}

} // namespace

extern "C" {
const uint32_t** __heddle_frame = slots;
}

namespace {

void record(char kind, const void* address, uint64_t length, const uint32_t* site,
            uint32_t orders = 0, uint64_t expected = 0) {
  ++counts[static_cast<int>(kind)];
  if (eventCount == kMaxEvents)
    return;
  int depth = static_cast<int>(__heddle_frame - slots);
  uint32_t caller = depth > 0 && slots[depth - 1] ? *slots[depth - 1] : 0;
  events[eventCount++] = {kind, address, length, *site, depth, caller, orders, expected};
}

void printSites(FILE* out, const ModuleDescriptor& module, int index) {
  const char* strings = module.strings;
  fprintf(out, "module %d %s\n", index, module.source);
  for (uint32_t f = 0; f < module.functionCount; ++f) {
    const FunctionRecord& function = module.functions[f];
    fprintf(out, "function\t%d\t%u\t%s\t%s\t%u\t%u\t", index, f, strings + function.name,
            strings + function.displayName, function.firstSite, function.siteCount);
    for (uint32_t c = 0; c < function.calleeCount; ++c)
      fprintf(out, "%s%u", c ? "," : "", module.callees[function.firstCallee + c]);
    fprintf(out, "\n");
  }
  for (uint32_t i = 0; i < module.siteCount; ++i) {
    const SiteRecord& site = module.sites[i];
    if (!isOn(site))
      continue;
    fprintf(out, "site\t%d\t%u\t%u\t%016llx\t%s\t%s\t%u\t%u\t%u\t%s\t%u\t%s\t%d\t%d\t%u\n", index,
            i, module.slots[i].id, static_cast<unsigned long long>(site.identity),
            strings + site.function, strings + site.file, site.line, site.column, site.size,
            strings + site.object, site.offset, strings + site.callee, static_cast<int>(site.kind),
            site.flags, site.ordinal);
  }
}

} // namespace

extern "C" {

HEDDLE_HOOK void __heddle_access(const void* address, const uint32_t* site) {
  record('a', address, 0, site);
}
HEDDLE_HOOK void __heddle_atomic(const void* address, const uint32_t* site, uint32_t orders,
                                 uint64_t expected) {
  record('a', address, 0, site, orders, expected);
}
HEDDLE_HOOK void __heddle_range(const void* address, uint64_t length, const uint32_t* site) {
  record('r', address, length, site);
}
HEDDLE_HOOK void __heddle_call(const uint32_t* site) { record('c', nullptr, 0, site); }
HEDDLE_HOOK void __heddle_unseen(const uint32_t*, const void*) {}
HEDDLE_HOOK void __heddle_passing(const uint32_t*, const void*) {}
HEDDLE_HOOK void __heddle_seen(const uint32_t*) {}
HEDDLE_HOOK void __heddle_spin(const uint32_t* site) {
  record('s', nullptr, 0, site);
  extern void standinSpin() __attribute__((weak));
  if (standinSpin)
    standinSpin();
}

void __heddle_register(ModuleDescriptor* module) {
  if (module->magic != kSiteTableMagic || module->version != kSiteTableVersion)
    abort();
  bool all = strcmp(mode(), "all") == 0 || withEntries();
  bool hooked = all || strcmp(mode(), "hooked-off") == 0;
  for (uint32_t i = 0; i < module->siteCount; ++i) {
    module->slots[i].id = idOf(module->sites[i]);
    if ((all && isOn(module->sites[i])) || (module->sites[i].flags & kSiteSync))
      module->modes[i] = kModePoint;
  }
  for (uint32_t f = 0; f < module->functionCount; ++f)
    module->functionModes[f] = hooked;
  modules[moduleCount++] = module;
}

void __heddle_unregister(ModuleDescriptor*) { ++unregistered; }

/// For programs that look at the stack themselves.
__attribute__((visibility("default"))) int standinDepth() {
  return static_cast<int>(__heddle_frame - slots);
}
__attribute__((visibility("default"))) long standinCount(char kind) {
  return counts[static_cast<int>(kind)];
}
__attribute__((visibility("default"))) void standinSetModes(int functionMode, int siteMode) {
  for (int m = 0; m < moduleCount; ++m) {
    memset(modules[m]->functionModes, functionMode, modules[m]->functionCount);
    for (uint32_t i = 0; i < modules[m]->siteCount; ++i)
      if (!(modules[m]->sites[i].flags & kSiteSync) && isOn(modules[m]->sites[i]))
        modules[m]->modes[i] = static_cast<uint8_t>(siteMode);
  }
}
/// The plain clone of this function from now on.
__attribute__((visibility("default"))) void standinUnhook(const char* name) {
  for (int m = 0; m < moduleCount; ++m)
    for (uint32_t f = 0; f < modules[m]->functionCount; ++f)
      if (strcmp(modules[m]->strings + modules[m]->functions[f].name, name) == 0)
        modules[m]->functionModes[f] = 0;
}
}

namespace {

struct Writer {
  ~Writer() {
    const char* path = getenv("STANDIN_LOG");
    if (!path)
      return;
    FILE* out = fopen(path, "w");
    for (int m = 0; m < moduleCount; ++m)
      printSites(out, *modules[m], m);
    for (int i = 0; i < eventCount; ++i)
      fprintf(out, "event\t%c\t%u\t%p\t%llu\t%d\t%u\t%u\t%llu\n", events[i].kind, events[i].site,
              events[i].address, static_cast<unsigned long long>(events[i].length), events[i].depth,
              events[i].caller, events[i].orders,
              static_cast<unsigned long long>(events[i].expected));
    fprintf(out, "counts\t%ld\t%ld\t%ld\t%ld\n", counts['a'], counts['r'], counts['c'],
            counts['s']);
    fprintf(out, "depth\t%d\n", static_cast<int>(__heddle_frame - slots));
    fclose(out);
  }
} writer;

} // namespace
