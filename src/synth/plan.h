#pragma once

#include "synth/call_summary.h"

#include <array>
#include <compare>
#include <string>
#include <vector>

namespace heddle::synth {

/// What a planned call gets: a value that a sequential test had made when it was about to make a
/// call (the paper's collected objects), the result of an earlier step, or an object that the
/// collected ones lead to and that the test had in its hands before.
struct Operand {
  enum Kind : uint8_t { Collected, Made, Found };
  Kind kind = Collected;
  uint32_t source = 0;   ///< Collected, Found: index in Plan::collections; Made: in Plan::setup
  uint32_t argument = 0; ///< Collected, Found: which value of the call, 0 the receiver
  CallId call = CallId::None; ///< Found: the earlier call
  auto operator<=>(const Operand&) const = default;
};

/// As Operand::argument: the result of the call.
inline constexpr uint32_t kResultOperand = 0xffff;

/// The objects of one recorded call, made afresh: the sequential test, run up to that call.
struct Collection {
  CallId call = CallId::None;
  uint32_t number = 0; ///< for names: as table 2 of the paper counts them
};

struct PlannedCall {
  CallId call = CallId::None;    ///< the recorded call that it repeats
  std::vector<Operand> operands; ///< [0] the receiver, where there is one
  Label heldAt = Label::None;    ///< else: a thread of its own, held at this label
};

/// A test: objects, the steps that share what has to be shared, and two calls in two threads.
struct Plan {
  std::vector<Collection> collections;
  std::vector<PlannedCall> setup;
  std::array<PlannedCall, 2> sides;
};

/// The plan as one line: "z1.baz(x1); a5.bar(z1); a6.bar(z1); a5.foo(y5) || a6.foo(y6)".
std::string planText(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                     const Plan& plan);
/// The name of a variable in it, the same in generated tests.
std::string operandName(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                        const Plan& plan, const Operand& operand);
/// "lib::WriteQueue<int>" -> "writeQueue": what variables of a class begin with.
std::string variableStem(const std::string& type);
/// Whether the operand is an object and not a number or a text.
bool isObject(const std::vector<CallSummary>& calls, const Plan& plan, const Operand& operand);
/// The value that was recorded for the operand; the object of a constructor that a step calls.
const Value& recordedValue(const std::vector<CallSummary>& calls, const Plan& plan,
                           const Operand& operand);

} // namespace heddle::synth
