#include "runtime/base/process_maps.h"

#include "model/ids.h"
#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

/// Reads the file in pieces, line by line.
class MapsReader {
public:
  MapsReader()
      : fd_(static_cast<int>(
            rawSyscall(SYS_open, asLong("/proc/self/maps"), O_RDONLY | O_CLOEXEC))) {}
  ~MapsReader() { rawSyscall(SYS_close, fd_); }

  bool next(MappedRange& range) {
    if (!readLine())
      return false;
    const char* at = line_;
    range.begin = hex(at);
    ++at; // '-'
    range.end = hex(at);
    ++at; // ' '
    range.writable = at[1] == 'w';
    range.isPrivate = at[3] == 'p';
    for (int field = 0; field < 3; ++field) // rights, offset, device
      at = skipField(at);
    range.fileBacked = *at != '0';
    range.isDevice = showsDevice(skipField(at));
    range.isKernelStack = strstr(at, "[stack]") != nullptr;
    return true;
  }

private:
  /// Anonymous memory that is shared is listed as /dev/zero.
  static bool showsDevice(const char* path) {
    if (strncmp(path, "anon_inode:", 11) == 0)
      return true;
    return strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/zero", 9) != 0 &&
           strncmp(path, "/dev/shm/", 9) != 0;
  }
  static uint64_t hex(const char*& at) {
    uint64_t value = 0;
    for (;; ++at) {
      if (*at >= '0' && *at <= '9')
        value = value * 16 + static_cast<uint64_t>(*at - '0');
      else if (*at >= 'a' && *at <= 'f')
        value = value * 16 + static_cast<uint64_t>(*at - 'a') + 10;
      else
        return value;
    }
  }
  static const char* skipField(const char* at) {
    while (*at && *at != ' ')
      ++at;
    while (*at == ' ')
      ++at;
    return at;
  }
  bool readLine() {
    uint32_t length = 0;
    for (;;) {
      if (position_ == filled_) {
        long got = rawSyscall(SYS_read, fd_, asLong(buffer_), sizeof buffer_);
        if (got <= 0)
          return false;
        filled_ = static_cast<uint32_t>(got);
        position_ = 0;
      }
      char c = buffer_[position_++];
      if (c == '\n')
        break;
      if (length + 1 < sizeof line_)
        line_[length++] = c;
    }
    line_[length] = 0;
    return true;
  }

  int fd_;
  uint32_t position_ = 0;
  uint32_t filled_ = 0;
  char buffer_[4096];
  char line_[512];
};

} // namespace

bool forEachMapping(bool (*visit)(const MappedRange&)) {
  MapsReader reader;
  MappedRange range;
  while (reader.next(range))
    if (!visit(range))
      return false;
  return true;
}

bool isFileBacked(uint64_t address) {
  MapsReader reader;
  MappedRange range;
  while (reader.next(range))
    if (address >= range.begin && address < range.end)
      return range.fileBacked;
  return false;
}

uint64_t mappingsHash() {
  MapsReader reader;
  MappedRange range;
  uint64_t hash = 0;
  while (reader.next(range)) {
    bool own = (range.begin >= kMainStackBase && range.begin < kHeapBase) ||
               (range.begin >= kSnapshotBase && range.begin < kOwnEnd);
    if (range.isKernelStack || own)
      continue; // grow on their own
    hash = mix(mix(hash, range.begin), range.end);
    hash = mix(hash, range.writable * 2u + range.isPrivate);
  }
  return hash;
}

} // namespace heddle::rt
