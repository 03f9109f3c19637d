#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <vector>

/// How a function gets to an address: from a parameter, variable or value, by offsets, indices and
/// loads. Equal paths are the same address as long as what is loaded stays the same, which is what
/// tells `this->m` and `this->x` of one object from those of two.
namespace heddle::analysis {

enum class PathId : uint32_t { None = 0 };

class Paths {
public:
  explicit Paths(const llvm::DataLayout& layout);

  PathId of(const llvm::Value* value);
  PathId root(const llvm::Value* value);
  PathId offset(PathId path, int64_t bytes);
  PathId loaded(PathId path);

  /// The value that the path begins with.
  const llvm::Value* rootOf(PathId path) const;
  bool hasLoad(PathId path) const;
  /// Whether the value is the path's root or one of its indices: when it becomes another one, so
  /// does what the path leads to.
  bool mentions(PathId path, const llvm::Value* value) const;
  /// The path with `from` (or a neighbour of it in the same object) replaced by `to`; None when it
  /// does not begin so.
  PathId replaced(PathId path, PathId from, PathId to);
  /// What a path that begins at a parameter is in a caller; None when it does not.
  PathId inCaller(PathId path, const llvm::CallBase& call);

  /// How a lock lies relative to data: equal numbers mean that data at the same address is guarded
  /// by the same lock. 0: not related.
  struct Relation {
    uint64_t key = 0;
    bool sameObject = false; ///< no load lies between them
  };
  Relation relation(PathId lock, PathId data);

private:
  enum class Kind : uint8_t { None, Root, Offset, Load, Index };
  struct Node {
    Kind kind;
    PathId parent;
    int64_t number;           ///< offset, or the stride of an index
    const llvm::Value* value; ///< root or index
  };
  struct Anchor { ///< a path without its last offset
    PathId base;
    int64_t offset;
  };

  const Node& node(PathId path) const { return nodes_[static_cast<uint32_t>(path)]; }
  PathId make(Kind kind, PathId parent, int64_t number, const llvm::Value* value);
  PathId index(PathId path, const llvm::Value* by, int64_t stride);
  const llvm::Value* canonical(const llvm::Value* value);
  PathId compute(const llvm::Value* value);
  PathId ofCall(const llvm::CallBase& call);
  PathId returned(const llvm::Function& function);
  PathId forwarded(const llvm::LoadInst& load, PathId from);

  /// An address that a function stores into what a parameter points at, in the function's terms.
  struct Stored {
    PathId where;
    PathId what; ///< None: not always the same
  };
  const llvm::SmallVector<Stored, 2>& stores(const llvm::Function& function);
  void addStored(llvm::SmallVectorImpl<Stored>& all, PathId where, PathId what) const;
  Anchor anchor(PathId path) const;

  const llvm::DataLayout& layout_;
  std::vector<Node> nodes_;
  llvm::DenseMap<const llvm::Value*, PathId> known_;
  llvm::DenseMap<uint64_t, const llvm::Value*> computed_;
  llvm::DenseMap<const llvm::Function*, PathId> returned_;
  llvm::DenseMap<const llvm::Function*, llvm::SmallVector<Stored, 2>> stores_;
  llvm::DenseMap<const llvm::AllocaInst*, llvm::SmallVector<Stored, 2>> storesInto_;
  llvm::DenseMap<std::pair<uint64_t, std::pair<int64_t, const llvm::Value*>>, PathId> interned_;
};

} // namespace heddle::analysis
