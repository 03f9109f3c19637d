#pragma once

#include "static/ir/models.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <optional>

/// What is done to single values in memory, also by functions that do nothing else: setters,
/// getters, and the members of std::atomic, which take the memory order as an argument.
namespace heddle::analysis {

enum class ValueAccessKind : uint8_t { Load, Store, Exchange, CompareExchange, Update };

/// What an instruction or call does to one value.
struct ValueAccess {
  ValueAccessKind kind = ValueAccessKind::Load;
  const llvm::Value* base = nullptr; ///< the address, as the instruction's function knows it,
  int64_t offset = 0;                ///< and so many bytes from it
  uint64_t size = 0;
  const llvm::Value* written = nullptr;    ///< null: not known
  const llvm::Value* expected = nullptr;   ///< CompareExchange: the value, or null
  const llvm::Value* expectedAt = nullptr; ///< or where it is kept
  llvm::AtomicOrdering order = llvm::AtomicOrdering::NotAtomic; ///< the weakest that it can have
  bool tells = false; ///< the result is what was there, or whether it was exchanged

  bool isAtomic() const { return order != llvm::AtomicOrdering::NotAtomic; }
  bool isWrite() const { return kind != ValueAccessKind::Load; }
  bool writesZero() const;
  bool writesNonZero() const;
};

class ValueAccesses {
public:
  explicit ValueAccesses(const Models& models, const llvm::DataLayout& layout)
      : models_(models), layout_(layout) {}

  /// What the instruction does to a value in memory, if that is all it does.
  std::optional<ValueAccess> at(const llvm::Instruction& instruction);
  /// Whether calls of the function say all that it does: its own instructions need not be looked
  /// at.
  bool isWrapper(const llvm::Function& function);

private:
  struct Summary;
  class Evaluation;

  std::optional<ValueAccess> direct(const llvm::Instruction& instruction) const;

  const Models& models_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::CallBase*, std::optional<ValueAccess>> calls_;
  llvm::DenseMap<const llvm::Function*, bool> wrappers_;
};

} // namespace heddle::analysis
