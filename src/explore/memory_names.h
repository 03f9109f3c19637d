#pragma once

#include "operation.h"

#include <map>

namespace heddle::explore {

/// Names of memory that are the same in all runs: addresses as they are, but for blocks of the
/// heap, which are named by who has allocated them and when. Of one run.
class MemoryNames {
public:
  struct Place {
    uint64_t address = 0; ///< the same in all runs
    uint64_t block = 0;   ///< of the heap; 0: it is elsewhere
  };

  void allocate(ThreadNumber thread, uint64_t address, uint64_t bytes);
  /// The block that ends; 0 if it is not known.
  uint64_t free(uint64_t address);
  Place find(uint64_t address) const;

private:
  struct Block {
    uint64_t begin = 0;
    uint64_t end = 0;
    uint64_t name = 0;
  };
  std::map<uint64_t, Block> blocks_; ///< by their end: a block that was freed stays until its
                                     ///< memory is used again
  uint64_t lowest_ = ~uint64_t{0};   ///< of the blocks: most accesses are elsewhere
  uint64_t highest_ = 0;
  std::map<ThreadNumber, uint64_t> allocations_;
  mutable Block last_; ///< the one that was found last
};

} // namespace heddle::explore
