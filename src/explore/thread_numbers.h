#pragma once

#include "operation.h"

#include <unordered_map>

namespace heddle::explore {

/// The threads of a program, numbered in the order in which a search has come to know them. The
/// numbers stay the same for the whole search, and go with each batch of prefixes.
class ThreadNumbers {
public:
  ThreadNumbers() { of(ThreadPath::Main); }

  ThreadNumber of(ThreadPath path) {
    auto [found, isNew] = numbers_.try_emplace(raw(path), static_cast<ThreadNumber>(paths_.size()));
    if (isNew)
      paths_.push_back(path);
    return found->second;
  }
  const std::vector<ThreadPath>& paths() const { return paths_; }

private:
  std::vector<ThreadPath> paths_;
  std::unordered_map<uint64_t, ThreadNumber> numbers_;
};

} // namespace heddle::explore
