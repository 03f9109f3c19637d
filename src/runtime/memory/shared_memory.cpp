#include "runtime/memory/shared_memory.h"

namespace heddle::rt {

uint32_t sharedRanges = 0;

namespace {

struct SharedRange {
  uintptr_t begin;
  uintptr_t end;
  uintptr_t identity; ///< of the first byte
};

constexpr uint32_t kMaxRanges = 128;
SharedRange ranges[kMaxRanges];
SharedSource files[kMaxIdentityFiles];
uint32_t fileCount = 0;

/// Its number, which stays for the whole run: what is in the file does, too. kMaxIdentityFiles:
/// there are too many.
uint32_t fileOf(const SharedSource& source) {
  for (uint32_t i = 0; i < fileCount; ++i)
    if (files[i].device == source.device && files[i].number == source.number)
      return i;
  if (fileCount == kMaxIdentityFiles)
    return kMaxIdentityFiles;
  files[fileCount] = source;
  return fileCount++;
}

void addRange(uintptr_t begin, uintptr_t end, uintptr_t identity) {
  if (begin < end && sharedRanges < kMaxRanges)
    ranges[sharedRanges++] = {begin, end, identity};
}

} // namespace

void shareMemory(uintptr_t address, size_t bytes, const SharedSource& source, uint64_t offset) {
  uint32_t file = fileOf(source);
  if (file == kMaxIdentityFiles || offset + bytes > kIdentityFileBytes)
    return;
  shareAs(address, bytes, kIdentityBase + file * kIdentityFileBytes + offset);
}

void shareAs(uintptr_t address, size_t bytes, uintptr_t identity) {
  addRange(address, address + bytes, identity);
}

void unshareMappingAt(uintptr_t address) {
  for (uint32_t i = 0; i < sharedRanges; ++i)
    if (ranges[i].begin == address)
      return unshareMemory(address, ranges[i].end - address);
}

void unshareMemory(uintptr_t address, size_t bytes) {
  uintptr_t end = address + bytes;
  for (uint32_t i = sharedRanges; i-- > 0;) {
    SharedRange old = ranges[i];
    if (old.end <= address || old.begin >= end)
      continue;
    ranges[i] = ranges[--sharedRanges];
    addRange(old.begin, address, old.identity);
    addRange(end, old.end, old.identity + (end - old.begin));
  }
}

bool isSharedMemory(uintptr_t address, size_t bytes) {
  for (uint32_t i = 0; i < sharedRanges; ++i)
    if (ranges[i].end > address && ranges[i].begin < address + bytes)
      return true;
  return false;
}

bool isShownElsewhere(uintptr_t address, size_t bytes) {
  for (uint32_t i = 0; i < sharedRanges; ++i) {
    const SharedRange& range = ranges[i];
    uintptr_t identityEnd = range.identity + (range.end - range.begin);
    if (identityEnd > address && range.identity < address + bytes)
      return true;
  }
  return false;
}

uintptr_t identityInFile(uintptr_t address) {
  for (uint32_t i = 0; i < sharedRanges; ++i)
    if (address - ranges[i].begin < ranges[i].end - ranges[i].begin)
      return ranges[i].identity + (address - ranges[i].begin);
  return address;
}

uintptr_t addressOfIdentity(uintptr_t identity) {
  for (uint32_t i = 0; i < sharedRanges; ++i)
    if (identity - ranges[i].identity < ranges[i].end - ranges[i].begin)
      return ranges[i].begin + (identity - ranges[i].identity);
  return identity;
}

} // namespace heddle::rt
