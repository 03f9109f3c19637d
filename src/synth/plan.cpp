#include "synth/plan.h"

#include "synth/literals.h"

#include <algorithm>
#include <cctype>

namespace heddle::synth {

const Value& recordedValue(const std::vector<CallSummary>& calls, const Plan& plan,
                           const Operand& operand) {
  if (operand.kind == Operand::Collected)
    return calls[raw(plan.collections[operand.source].call)].values[operand.argument];
  if (operand.kind == Operand::Found)
    return operand.argument == kResultOperand ? calls[raw(operand.call)].result
                                              : calls[raw(operand.call)].values[operand.argument];
  const CallSummary& call = calls[raw(plan.setup[operand.source].call)];
  return call.result.kind == ValueKind::Object ? call.result : call.values.front();
}

bool isObject(const std::vector<CallSummary>& calls, const Plan& plan, const Operand& operand) {
  return recordedValue(calls, plan, operand).kind == ValueKind::Object;
}

static std::string literalText(const SeedTrace& trace, const Value& value) {
  switch (value.kind) {
  case ValueKind::None:
  case ValueKind::Object:
    return "";
  case ValueKind::Bool:
    return value.integer ? "true" : "false";
  case ValueKind::Integer:
    return std::to_string(value.integer);
  case ValueKind::Float:
    return std::to_string(value.number);
  case ValueKind::Enum:
    for (const Enumerator& one : trace.types[value.type].enumerators)
      if (one.value == value.integer)
        return one.name;
    return std::to_string(value.integer);
  case ValueKind::String:
    return stringLiteral(value.text);
  case ValueKind::Null:
    return "nullptr";
  case ValueKind::Opaque:
    return "...";
  }
  return "";
}

std::string variableStem(const std::string& type) {
  std::string bare = type.substr(0, type.find('<'));
  if (size_t colon = bare.rfind(':'); colon != std::string::npos)
    bare = bare.substr(colon + 1);
  if (bare.empty())
    return "object";
  bare[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(bare[0])));
  return bare;
}

/// Values of one call that have the same class get letters: a5, a5b.
static std::string tellApart(const SeedTrace& trace, const std::vector<Value>& values,
                             uint32_t argument) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < argument; ++i)
    if (values[i].kind == ValueKind::Object &&
        variableStem(trace.types[values[i].type].name) ==
            variableStem(trace.types[values[argument].type].name) &&
        values[i].object != values[argument].object)
      ++before;
  return before == 0 ? "" : std::string(1, static_cast<char>('a' + before % 26));
}

std::string operandName(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                        const Plan& plan, const Operand& operand) {
  const Value& value = recordedValue(calls, plan, operand);
  std::string stem = variableStem(trace.types[value.type].name);
  if (operand.kind == Operand::Made) {
    uint32_t last = 0;
    for (const Collection& collection : plan.collections)
      last = std::max(last, collection.number);
    return stem + std::to_string(last + 1 + operand.source);
  }
  const Collection& collection = plan.collections[operand.source];
  if (operand.kind == Operand::Found)
    return stem + std::to_string(collection.number);
  return stem + std::to_string(collection.number) +
         tellApart(trace, calls[raw(collection.call)].values, operand.argument);
}

static std::string callText(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                            const Plan& plan, const PlannedCall& call, const Operand* made) {
  const Method& method = trace.methods[raw(calls[raw(call.call)].method)];
  auto text = [&](const Operand& operand) {
    const Value& value = recordedValue(calls, plan, operand);
    return value.kind == ValueKind::Object ? operandName(trace, calls, plan, operand)
                                           : literalText(trace, value);
  };
  std::string result = made ? operandName(trace, calls, plan, *made) + " = " : "";
  if (method.kind == MethodKind::Member)
    result += text(call.operands.front()) + ".";
  result += method.name + "(";
  for (size_t i = 1; i < call.operands.size(); ++i)
    result += (i > 1 ? ", " : "") + text(call.operands[i]);
  return result + ")" + (call.heldAt == Label::None ? "" : " held");
}

/// Whether a later call of the plan uses what the step makes.
static bool isUsed(const Plan& plan, const Operand& made) {
  auto uses = [&](const PlannedCall& call) {
    for (const Operand& operand : call.operands)
      if (operand == made)
        return true;
    return false;
  };
  for (size_t i = made.source + 1; i < plan.setup.size(); ++i)
    if (uses(plan.setup[i]))
      return true;
  return uses(plan.sides[0]) || uses(plan.sides[1]);
}

std::string planText(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                     const Plan& plan) {
  std::string text;
  for (uint32_t i = 0; i < plan.setup.size(); ++i) {
    Operand made{Operand::Made, i, 0, CallId::None};
    text +=
        callText(trace, calls, plan, plan.setup[i], isUsed(plan, made) ? &made : nullptr) + "; ";
  }
  return text + callText(trace, calls, plan, plan.sides[0], nullptr) + " || " +
         callText(trace, calls, plan, plan.sides[1], nullptr);
}

} // namespace heddle::synth
