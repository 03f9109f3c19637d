#include "runtime/process/module_fini.h"

#include "runtime/core/scheduler.h"

#include <link.h>
#include <stdint.h>

namespace heddle::rt {

namespace {

constexpr uint64_t kCompilersOwn = sizeof(Fini); ///< __do_global_dtors_aux alone

struct ModuleFini {
  Fini* array = nullptr;
  uint64_t bytes = 0;
  Fini last = nullptr; ///< DT_FINI
};

Fini loaderFini = nullptr;
ModuleFini executable;
bool askLoader = true;

ModuleFini finiOf(const dl_phdr_info* info) {
  ModuleFini result;
  for (uint32_t i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_FINI_ARRAY)
        result.array = reinterpret_cast<Fini*>(info->dlpi_addr + entry->d_un.d_ptr);
      else if (entry->d_tag == DT_FINI_ARRAYSZ)
        result.bytes = entry->d_un.d_val;
      else if (entry->d_tag == DT_FINI)
        result.last = reinterpret_cast<Fini>(info->dlpi_addr + entry->d_un.d_ptr);
    }
  }
  return result;
}

int addModule(dl_phdr_info* info, size_t, void* count) {
  ModuleFini fini = finiOf(info);
  if ((*static_cast<uint32_t*>(count))++ == 0) // the executable comes first
    executable = fini;
  else if (fini.bytes > kCompilersOwn)
    askLoader = true;
  return 0;
}

void runFini() {
  if (!controlled() || askLoader)
    return loaderFini();
  for (uint64_t i = executable.bytes / sizeof(Fini); i-- > 0;)
    executable.array[i]();
  if (executable.last)
    executable.last();
}

} // namespace

Fini replaceLoaderFini(Fini loader) {
  if (!loader) // a static program has none
    return nullptr;
  loaderFini = loader;
  return runFini;
}

void readModuleFini() {
  askLoader = false;
  uint32_t count = 0;
  dl_iterate_phdr(addModule, &count);
}

void noteLoadedModule() { askLoader = true; }

} // namespace heddle::rt
