#pragma once

#include "explore/operation.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A small machine that stands for a program under heddle's control: threads of simple
/// instructions, executed one visible operation at a time in the order that a schedule says.
namespace heddle::explore::test {

/// One line of a program; README.md beside this file lists the instructions.
struct Instruction {
  std::string name;
  std::vector<std::string> words;
};

struct Program {
  std::map<ThreadNumber, std::vector<Instruction>> threads; ///< 0 is there from the start
  std::map<uint64_t, uint8_t> memory;                       ///< where not 0
};

Program parse(std::string_view text);

/// After the schedule the thread that ran last goes on if it can (as a baseline wants it), or the
/// smallest one that can run.
enum class Default : uint8_t { SmallestThread, SameThread };

Run execute(const Program& program, const std::vector<Choice>& schedule,
            Default rest = Default::SmallestThread);

/// Who goes on, among the operations that can be taken; nobody ends the run.
using Chooser = std::function<std::optional<ThreadNumber>(const std::vector<Operation>&)>;
/// Told of each step: what could be taken, and what was.
using Observer = std::function<void(const std::vector<Operation>&, const Operation&)>;

Run execute(const Program& program, const std::vector<Choice>& schedule, const Chooser& chooser,
            const Observer& observer);

} // namespace heddle::explore::test
