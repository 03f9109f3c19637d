#include "runtime/trace/unseen_code.h"

#include "model/known_libraries.h"
#include "runtime/base/dynamic_symbols.h"
#include "runtime/trace/sites.h"

#include <link.h>

namespace heddle::rt {

namespace {

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

Range rangeOf(const dl_phdr_info& module) {
  Range range{~uintptr_t{0}, 0};
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module.dlpi_phdr[i];
    if (part.p_type != PT_LOAD)
      continue;
    uintptr_t begin = module.dlpi_addr + part.p_vaddr;
    range.begin = begin < range.begin ? begin : range.begin;
    range.end = begin + part.p_memsz > range.end ? begin + part.p_memsz : range.end;
  }
  return range;
}

/// The executable has no name in the list. What of it has no hooks is in the plan's list.
bool isUnseenModule(const dl_phdr_info& module, const Range& range) {
  return module.dlpi_name[0] != 0 && !isKnownLibrary(module.dlpi_name) &&
         !hasSitesIn(range.begin, range.end);
}

struct AddressSearch {
  uintptr_t address;
  bool found;
  bool unseen;
};

int lookForAddress(dl_phdr_info* info, size_t, void* data) {
  auto& search = *static_cast<AddressSearch*>(data);
  Range range = rangeOf(*info);
  if (search.address < range.begin || search.address >= range.end)
    return 0;
  search.found = true;
  search.unseen = isUnseenModule(*info, range);
  return 1;
}

int lookForName(dl_phdr_info* info, size_t, void* name) {
  return isUnseenModule(*info, rangeOf(*info)) &&
         definesSymbol(*info, static_cast<const char*>(name));
}

/// What is known of the functions that pointers were called for.
struct Answer {
  uintptr_t address;
  bool unseen;
};
constexpr unsigned kAnswers = 256;
Answer answers[kAnswers];

} // namespace

bool isUnseenAddress(const void* pointer) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  Answer& answer = answers[mix(1, address) % kAnswers];
  if (answer.address == address)
    return answer.unseen;
  AddressSearch search{address, false, false};
  dl_iterate_phdr(lookForAddress, &search);
  answer = {address, !search.found || search.unseen}; // what is in no module was made at run time
  return answer.unseen;
}

bool isUnseenFunction(const char* name) {
  return dl_iterate_phdr(lookForName, const_cast<char*>(name)) != 0;
}

bool isBelowUnseenCode(const Fiber* fiber) {
  return fiber->unseenFrame != 0 ||
         (fiber->start && isUnseenAddress(reinterpret_cast<const void*>(fiber->start)));
}

} // namespace heddle::rt
