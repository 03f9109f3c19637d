#include "runtime/run/page_scan.h"

#include "runtime/base/raw_syscall.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

// From newer kernel headers than Debian 12 ships.
struct ScanRequest {
  uint64_t size;
  uint64_t flags;
  uint64_t start;
  uint64_t end;
  uint64_t walkEnd;
  uint64_t ranges;
  uint64_t rangeCount;
  uint64_t maxPages;
  uint64_t inverted;
  uint64_t allOf;
  uint64_t anyOf;
  uint64_t returned;
};
constexpr unsigned long kPagemapScan = _IOWR('f', 16, ScanRequest);
constexpr uint64_t kFeatureUnpopulated = 1 << 13;
constexpr uint64_t kFeatureAsync = 1 << 15;
constexpr long kUserModeOnly = 1;

/// Out of the way of the program's descriptors, whose numbers must not depend on the isolation.
int moveUp(int descriptor) {
  constexpr long first = 1000;
  if (descriptor < 0)
    return descriptor;
  long moved = rawSyscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, first);
  if (moved < 0)
    return descriptor;
  rawSyscall(SYS_close, descriptor);
  return static_cast<int>(moved);
}

} // namespace

bool PageScanner::open() {
  if (pagemap_ >= 0)
    return true;
  faults_ = static_cast<int>(rawSyscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kUserModeOnly));
  faults_ = moveUp(faults_);
  if (faults_ < 0) {
    obstacle_ = "userfaultfd is not allowed here";
    return false;
  }
  uffdio_api request{};
  request.api = UFFD_API;
  request.features = UFFD_FEATURE_PAGEFAULT_FLAG_WP | kFeatureUnpopulated | kFeatureAsync;
  if (rawSyscall(SYS_ioctl, faults_, UFFDIO_API, asLong(&request)) != 0) {
    obstacle_ = "the kernel has no asynchronous write protection (Linux 6.7 or newer has)";
    return false;
  }
  pagemap_ =
      static_cast<int>(rawSyscall(SYS_open, asLong("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC));
  pagemap_ = moveUp(pagemap_);
  if (pagemap_ < 0) {
    obstacle_ = "/proc/self/pagemap cannot be opened";
    return false;
  }
  if (scanSome(0x10000, 0x11000, 0, 0) < 0) {
    obstacle_ = "the kernel has no PAGEMAP_SCAN (Linux 6.7 or newer has)";
    return false;
  }
  return true;
}

bool PageScanner::watch(uint64_t begin, uint64_t bytes) {
  uffdio_register registration{};
  registration.range = {begin, bytes};
  registration.mode = UFFDIO_REGISTER_MODE_WP;
  if (rawSyscall(SYS_ioctl, faults_, UFFDIO_REGISTER, asLong(&registration)) != 0) {
    obstacle_ = "a mapping of the program cannot be watched";
    return false;
  }
  uffdio_writeprotect protection{};
  protection.range = {begin, bytes};
  protection.mode = UFFDIO_WRITEPROTECT_MODE_WP;
  if (rawSyscall(SYS_ioctl, faults_, UFFDIO_WRITEPROTECT, asLong(&protection)) != 0) {
    obstacle_ = "a mapping of the program cannot be write-protected";
    return false;
  }
  return true;
}

long PageScanner::scanSome(uint64_t begin, uint64_t end, uint64_t all, uint64_t any) {
  ScanRequest request{};
  request.size = sizeof request;
  request.start = begin;
  request.end = end;
  request.ranges = reinterpret_cast<uint64_t>(found_);
  request.rangeCount = kMaxRanges;
  request.allOf = all;
  request.anyOf = any;
  request.returned = all | any | kPagePresent;
  long count = rawSyscall(SYS_ioctl, pagemap_, static_cast<long>(kPagemapScan), asLong(&request));
  walkEnd_ = request.walkEnd;
  return count;
}

} // namespace heddle::rt
