#pragma once

#include <stddef.h>
#include <stdint.h>

/// Which pages were written: userfaultfd in asynchronous write-protect mode marks them and
/// PAGEMAP_SCAN lists them (Linux 6.7 or newer). Also pages that the kernel writes are seen.
namespace heddle::rt {

struct PageRange {
  uint64_t begin;
  uint64_t end;
  uint64_t categories;
};

enum PageCategory : uint64_t {
  kPageProtectable = 1,
  kPageWritten = 2,
  kPagePresent = 8,
  kPageSwapped = 16,
};

class PageScanner {
public:
  /// False, with the reason in obstacle(), when the kernel does not offer it.
  bool open();
  const char* obstacle() const { return obstacle_; }
  /// Starts watching the range.
  bool watch(uint64_t begin, uint64_t bytes);
  /// Lists pages in [begin, end) that have all of `all` and any of `any` (0: no condition).
  /// Calls visit(range) for each stretch; false on a kernel error.
  template <typename Visit>
  bool scan(uint64_t begin, uint64_t end, uint64_t all, uint64_t any, Visit visit) {
    while (begin < end) {
      long count = scanSome(begin, end, all, any);
      if (count < 0)
        return false;
      for (long i = 0; i < count; ++i)
        visit(found_[i]);
      if (walkEnd_ <= begin && count == 0)
        return true;
      begin = walkEnd_;
    }
    return true;
  }

private:
  static constexpr uint64_t kMaxRanges = 512;

  long scanSome(uint64_t begin, uint64_t end, uint64_t all, uint64_t any);

  int faults_ = -1;
  int pagemap_ = -1;
  const char* obstacle_ = "";
  uint64_t walkEnd_ = 0;
  PageRange found_[kMaxRanges];
};

} // namespace heddle::rt
