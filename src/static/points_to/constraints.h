#pragma once

#include "static/ir/addresses.h"
#include "static/ir/models.h"
#include "static/ir/type_layouts.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/// What a function does with pointers, as constraints over its own variables. They are made once
/// per function and shared by all contexts in which the function is analysed.
namespace heddle::analysis {

/// A variable of the function (from 0), a constant of ConstraintContext (kConstantBit set), or
/// nothing.
using Operand = uint32_t;
inline constexpr Operand kNoOperand = 0xffffffff;
inline constexpr Operand kConstantBit = 0x80000000;
constexpr bool isVariable(Operand operand) { return (operand & kConstantBit) == 0; }
constexpr bool isConstant(Operand operand) { return operand != kNoOperand && !isVariable(operand); }
constexpr uint32_t constantIndex(Operand operand) { return operand & ~kConstantBit; }

enum class OpKind : uint8_t {
  Local,         ///< target := address of the stack variable `instruction`
  Load,          ///< target := *(pointer + step)
  Store,         ///< *(pointer + step) := source
  Move,          ///< target := pointer + step
  CopyMemory,    ///< *pointer := *source, `length` bytes
  Call,          ///< FunctionConstraints::calls[index]
  Iteration,     ///< target := the number of a loop's iteration
  NextIteration, ///< target := pointer, another element in each iteration of a loop
};

/// The member that an access is made to, as the front end names it: so many bytes from the start of
/// a class.
struct MemberPlace {
  const llvm::DICompositeType* owner = nullptr; ///< null: not known
  uint32_t offset = 0;
};

struct Op {
  OpKind kind;
  bool vtable = false; ///< Store: of a vtable's address
  Operand pointer = kNoOperand;
  Operand other = kNoOperand; ///< target or source
  uint32_t index = 0; ///< of a call, or of the local's instruction in FunctionConstraints::locals
  Step step = {};
  Operand by = kNoOperand; ///< Move: the index
  const llvm::PHINode* iteration = nullptr;
  uint64_t length = 0;     ///< 0: not known
  MemberPlace member = {}; ///< Load, Store
};

/// A call of a function that can matter: with a body, with a model, or not known before the
/// points-to sets are.
struct CallOp {
  const llvm::CallBase* instruction = nullptr;
  const llvm::Function* callee = nullptr; ///< null: by `pointer` or by vtable
  const ExternalModel* model = nullptr;   ///< of a callee that is modelled
  Operand pointer = kNoOperand;           ///< the function pointer
  llvm::SmallVector<Operand, 4> arguments;
  Operand result = kNoOperand;
  uint32_t receiver = 0;  ///< index of the argument that is `this`; with a hidden result it is 1
  int32_t slot = -1;      ///< virtual call: bytes from the vtable's address point
  bool transient = false; ///< of a base class's constructor or destructor: its vtable is not kept
  bool allocates = false; ///< of an allocator: what it returns is new, whatever its body does
};

/// What is known of the pointees of a parameter or of a member: what they are, and that many bytes
/// are there.
struct PointeeLimit {
  CellContent content = {};
  uint64_t bytes = 0;
};

struct FunctionConstraints {
  const llvm::Function* function = nullptr;
  uint32_t variables = 0;
  llvm::SmallVector<Operand, 4> parameters;
  llvm::SmallVector<PointeeLimit, 4> limits; ///< what the parameters can point at
  Operand result = kNoOperand;
  /// What is known of single variables: numbers, and what was loaded from members.
  std::vector<std::pair<Operand, CellContent>> contents;
  bool member = false; ///< analysed per receiver
  uint32_t receiver = 0;
  std::vector<Op> ops;
  std::vector<CallOp> calls;
  std::vector<const llvm::AllocaInst*> locals;
  /// Ops to be looked at when the variable v has new contents: watched[firstWatched[v] ..
  /// firstWatched[v + 1]), and the variables that it is copied to.
  std::vector<uint32_t> firstWatched, watched;
  std::vector<uint32_t> firstCopy, copies;
  /// Ops without a variable to watch, and copies of constants: done once per context.
  std::vector<uint32_t> unconditional;
  std::vector<std::pair<Operand, Operand>> constantCopies;      ///< constant, variable
  std::vector<Operand> constants;                               ///< whose addresses are used here
  std::vector<std::pair<const llvm::Value*, Operand>> operands; ///< sorted by address

  Operand operandOf(const llvm::Value* value) const {
    auto found = std::lower_bound(operands.begin(), operands.end(), std::pair{value, Operand{0}});
    return found == operands.end() || found->first != value ? kNoOperand : found->second;
  }
};

} // namespace heddle::analysis
