#include "runtime/base/dynamic_symbols.h"

#include <stdint.h>
#include <string.h>

namespace heddle::rt {

namespace {

struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const uint32_t* gnuHash = nullptr;
  const uint32_t* hash = nullptr;
};

/// The loader has made addresses of these, except in modules that it may not write.
template <typename T> const T* tableAt(const dl_phdr_info& module, uintptr_t value) {
  return reinterpret_cast<const T*>(value < module.dlpi_addr ? value + module.dlpi_addr : value);
}

const ElfW(Dyn) * dynamicSection(const dl_phdr_info& module) {
  for (int i = 0; i < module.dlpi_phnum; ++i)
    if (module.dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + module.dlpi_phdr[i].p_vaddr);
  return nullptr;
}

Tables tablesOf(const dl_phdr_info& module) {
  Tables tables;
  const ElfW(Dyn)* entry = dynamicSection(module);
  for (; entry && entry->d_tag != DT_NULL; ++entry) {
    uintptr_t value = entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB)
      tables.symbols = tableAt<ElfW(Sym)>(module, value);
    else if (entry->d_tag == DT_STRTAB)
      tables.strings = tableAt<char>(module, value);
    else if (entry->d_tag == DT_GNU_HASH)
      tables.gnuHash = tableAt<uint32_t>(module, value);
    else if (entry->d_tag == DT_HASH)
      tables.hash = tableAt<uint32_t>(module, value);
  }
  return tables;
}

bool isDefinition(const Tables& tables, uint32_t index, const char* name) {
  const ElfW(Sym)& symbol = tables.symbols[index];
  return symbol.st_shndx != SHN_UNDEF && strcmp(tables.strings + symbol.st_name, name) == 0;
}

uint32_t gnuHashOf(const char* name) {
  uint32_t hash = 5381;
  for (; *name; ++name)
    hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

/// Buckets of symbols; the last one of a bucket has the lowest bit of its hash set.
bool findByGnuHash(const Tables& tables, const char* name) {
  const uint32_t* header = tables.gnuHash;
  uint32_t bucketCount = header[0];
  uint32_t firstHashed = header[1];
  uint32_t bloomWords = header[2];
  if (bucketCount == 0)
    return false;
  constexpr uint32_t wordsOfAddress = sizeof(ElfW(Addr)) / sizeof(uint32_t);
  const uint32_t* buckets = header + 4 + bloomWords * wordsOfAddress;
  const uint32_t* chain = buckets + bucketCount;
  uint32_t hash = gnuHashOf(name);
  uint32_t index = buckets[hash % bucketCount];
  if (index < firstHashed)
    return false;
  for (;; ++index) {
    uint32_t found = chain[index - firstHashed];
    if ((found | 1) == (hash | 1) && isDefinition(tables, index, name))
      return true;
    if (found & 1)
      return false;
  }
}

/// The old table has as many chains as there are symbols.
bool findAmongAll(const Tables& tables, const char* name) {
  for (uint32_t index = 1; index < tables.hash[1]; ++index)
    if (isDefinition(tables, index, name))
      return true;
  return false;
}

} // namespace

bool definesSymbol(const dl_phdr_info& module, const char* name) {
  Tables tables = tablesOf(module);
  if (!tables.symbols || !tables.strings)
    return false;
  if (tables.gnuHash)
    return findByGnuHash(tables, name);
  return tables.hash && findAmongAll(tables, name);
}

} // namespace heddle::rt
