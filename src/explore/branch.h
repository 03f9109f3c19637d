#pragma once

#include "operation.h"

namespace heddle::explore {

/// What two runs must share to be in one class. docs/exploration.md defines both.
enum class Equivalence : uint8_t { ValueSchedules, ReadsFrom };

/// A step of one thread by name: its index-th operation, counted from 0.
struct StepName {
  ThreadNumber thread = 0;
  uint32_t index = 0;
  auto operator<=>(const StepName&) const = default;
};

/// Stands for the value that memory has when the program begins.
inline constexpr StepName kInitialValue{0xffffffff, 0};

/// How a branch was built, one stage after the other. A stage lets one operation of the thread
/// whose turn it was happen, with all that it needs (`main`), or lets an operation of another
/// thread happen in front of it (`isPull`: `main` is that one, `turn` the thread that waits).
struct Stage {
  StepName main;
  ThreadNumber turn = 0;
  bool isPull = false;
  bool byDefault = false; ///< what the thread does when nothing is asked for
};

/// Whether a compare-exchange must write for the branch to make sense.
enum class Writing : uint8_t { Any, Required, Excluded };

/// What an operation of a branch is to read: from these writes, in order of name.
struct Expectation {
  StepName reader;
  Writing writing = Writing::Any;
  std::vector<StepName> sources;
};

/// What sort of order a branch brings about first: the classes of section 6.1.2 of the thesis.
enum class PairKind : uint8_t { Locks, Waits, WaitAndLock, WaitAndNotify, ReadWrite };

/// A part of the search that nobody has looked at yet: a prefix to execute, after which the
/// smallest thread that can run always goes on. Branches share nothing: each can be executed
/// anywhere, at any time, in any order, and the set of all runs is the same.
struct Branch {
  std::vector<Choice> schedule;
  std::vector<uint32_t> stageOf; ///< of each entry of the schedule
  std::vector<Stage> stages;
  std::vector<Expectation> expectations;
  // For the order in which branches are tried; the set of classes does not depend on it.
  PairKind pair = PairKind::Locks;
  SiteIdentity first = SiteIdentity::None;  ///< what happens first now ...
  SiteIdentity second = SiteIdentity::None; ///< ... and what it happens before
};

/// Appends a branch as words, for the file that a search is resumed from.
void write(const Branch& branch, std::vector<uint64_t>& words);
/// Reads one back; `position` moves to what comes after it. False if the words are not a branch.
bool read(const std::vector<uint64_t>& words, size_t& position, Branch& branch);

} // namespace heddle::explore
