#include "runtime/base/code_places.h"

#include "runtime/base/arena.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

extern "C" {
// Ends of the runtime's code, from the linker; null when it is not in a section of its own.
extern __attribute__((weak, visibility("hidden")))
const char heddleTextBegin asm("__start_heddle_text");
extern __attribute__((weak, visibility("hidden")))
const char heddleTextEnd asm("__stop_heddle_text");
}

namespace heddle::rt {

namespace {

struct CodeRange {
  uintptr_t begin;
  uintptr_t end;
  uintptr_t base; ///< where the module is loaded
  bool system;
  char name[48];
};
constexpr uint32_t kMaxRanges = 256;
HEDDLE_LARGE CodeRange ranges[kMaxRanges];
uint32_t rangeCount = 0;

constexpr const char* kSystemNames[] = {"libc.",  "libc-",     "ld-",         "ld.",
                                        "libm.",  "libstdc++", "libc++",      "libgcc_s",
                                        "libdl.", "librt.",    "libpthread.", "linux-vdso"};

const char* fileName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool isSystemName(const char* name) {
  for (const char* known : kSystemNames)
    if (strncmp(name, known, strlen(known)) == 0)
      return true;
  return false;
}

int addRanges(dl_phdr_info* info, size_t, void*) {
  const char* name = *info->dlpi_name ? fileName(info->dlpi_name) : "the program";
  for (int i = 0; i < info->dlpi_phnum && rangeCount < kMaxRanges; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_X))
      continue;
    CodeRange& range = ranges[rangeCount++];
    range.begin = info->dlpi_addr + part.p_vaddr;
    range.end = range.begin + part.p_memsz;
    range.base = info->dlpi_addr;
    range.system = isSystemName(name);
    strncpy(range.name, name, sizeof range.name - 1);
  }
  return 0;
}

const CodeRange* rangeOf(uintptr_t address) {
  for (uint32_t i = 0; i < rangeCount; ++i)
    if (address >= ranges[i].begin && address < ranges[i].end)
      return &ranges[i];
  return nullptr;
}

} // namespace

CodeBounds runtimeCode() {
  return {reinterpret_cast<uintptr_t>(&heddleTextBegin),
          reinterpret_cast<uintptr_t>(&heddleTextEnd)};
}

bool isRuntimeCode(uintptr_t address) {
  CodeBounds own = runtimeCode();
  return address >= own.begin && address < own.end;
}

void readCodePlaces() {
  rangeCount = 0;
  dl_iterate_phdr(addRanges, nullptr);
}

bool isSystemCode(uintptr_t address) {
  const CodeRange* range = rangeOf(address);
  return range && range->system;
}

CodePlace codePlaceOf(uintptr_t address) {
  const CodeRange* range = rangeOf(address);
  return range ? CodePlace{range->name, address - range->base} : CodePlace{"?", address};
}

} // namespace heddle::rt
