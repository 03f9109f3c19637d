#pragma once

#include "static/models.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <optional>

/// What is done to single values in memory, also by functions that do nothing else: setters,
/// getters, and the members of std::atomic, which take the memory order as an argument.
namespace heddle::analysis {

enum class CellKind : uint8_t { Load, Store, Exchange, CompareExchange, Update };

/// What an instruction or call does to one value.
struct CellAccess {
  CellKind kind = CellKind::Load;
  const llvm::Value* base = nullptr; ///< the address, as the instruction's function knows it,
  int64_t offset = 0;                ///< and so many bytes from it
  uint64_t size = 0;
  const llvm::Value* written = nullptr;    ///< null: not known
  const llvm::Value* expected = nullptr;   ///< CompareExchange: the value, or null
  const llvm::Value* expectedAt = nullptr; ///< or where it is kept
  llvm::AtomicOrdering order = llvm::AtomicOrdering::NotAtomic; ///< the weakest that it can have
  bool tells = false; ///< the result is what was there, or whether it was exchanged

  bool isAtomic() const { return order != llvm::AtomicOrdering::NotAtomic; }
  bool isWrite() const { return kind != CellKind::Load; }
  bool writesZero() const;
  bool writesNonZero() const;
};

class Cells {
public:
  explicit Cells(const Models& models, const llvm::DataLayout& layout)
      : models_(models), layout_(layout) {}

  /// What the instruction does to a value in memory, if that is all it does.
  std::optional<CellAccess> at(const llvm::Instruction& instruction);
  /// Whether calls of the function say all that it does: its own instructions need not be looked
  /// at.
  bool isWrapper(const llvm::Function& function);

private:
  struct Summary;
  class Evaluation;

  std::optional<CellAccess> direct(const llvm::Instruction& instruction) const;

  const Models& models_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::CallBase*, std::optional<CellAccess>> calls_;
  llvm::DenseMap<const llvm::Function*, bool> wrappers_;
};

} // namespace heddle::analysis
