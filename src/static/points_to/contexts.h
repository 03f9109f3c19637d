#pragma once

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <vector>

namespace heddle::analysis {

/// In which circumstances a function is analysed, or an object was made: a string of at most k
/// elements, the innermost first. An element is a place: the allocation of the receiver with the
/// offset in it, or a call. Contexts are numbers; 0 is the empty one.
enum class ContextId : uint32_t { Empty = 0 };

struct ContextElement {
  const void* place = nullptr; ///< an instruction or a global variable
  uint32_t offset = 0;         ///< of the receiver in the object
  bool isCall = false;

  bool operator==(const ContextElement&) const = default;
};

class Contexts {
public:
  Contexts();

  /// The context with the element in front of the first k - 1 of `rest`.
  ContextId push(ContextElement element, ContextId rest, unsigned k);
  ContextId truncate(ContextId context, unsigned k);
  /// The context of a call from a function in another one: the last k calls, and after them the
  /// receiver that the functions work for, if there is one. Which object a chain of helpers works
  /// for says more than how they call each other.
  ContextId pushCall(const void* call, ContextId rest, unsigned k);

  /// From the innermost element.
  std::vector<ContextElement> elements(ContextId context) const;
  size_t size() const { return entries_.size(); }

private:
  struct Entry {
    ContextElement element;
    ContextId rest;
    unsigned depth;
  };
  using Key = std::pair<std::pair<const void*, uint64_t>, uint32_t>;

  const Entry& entry(ContextId context) const { return entries_[static_cast<uint32_t>(context)]; }

  std::vector<Entry> entries_;
  llvm::DenseMap<Key, ContextId> known_;
};

} // namespace heddle::analysis
