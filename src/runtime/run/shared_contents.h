#pragma once

#include <stddef.h>
#include <stdint.h>

/// What the program's shared mappings show: memory of files, of memfds, of segments, and anonymous
/// memory that is shared with children. A copy of the process has it in common with the original,
/// and putting back the process's own pages does not put it back.
namespace heddle::rt {

class SharedContents {
public:
  /// The copy lies at `base`, a fixed address of the runtime's own.
  explicit constexpr SharedContents(uintptr_t base) : base_(base) {}

  /// Copies all that can be written. False: there is more than is copied, or a device's memory,
  /// which nobody may write back.
  bool keep();
  /// Every mapping must still be there. Nothing where nothing was kept.
  void putBack() const;

private:
  struct Part {
    uint64_t address;
    uint64_t bytes;
  };
  static constexpr uint32_t kMaxParts = 64;
  static constexpr uint64_t kMaxBytes = 16 << 20;
  /// At `base_`, and what the parts hold after it.
  struct Copy {
    uint32_t count;
    Part parts[kMaxParts];
  };

  Copy& copy() const { return *reinterpret_cast<Copy*>(base_); }
  char* bytes() const { return reinterpret_cast<char*>(base_ + sizeof(Copy)); }
  bool add(const Part& mapping);

  uintptr_t base_;
  bool mapped_ = false;
  uint64_t used_ = 0;
};

} // namespace heddle::rt
