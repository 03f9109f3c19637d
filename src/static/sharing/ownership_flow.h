#pragma once

#include "static/ir/flow.h"
#include "static/sharing/owners.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IntrinsicInst.h"

/// How the addresses of owned objects go through one function.
/// docs/static-escape.md has the rules.
namespace heddle::analysis {

/// Parameters beyond these are taken for anything.
inline constexpr uint32_t kMaxOwnedParameters = 32;

/// What is known of a value.
struct OwnedValue {
  Owned kind = Owned::No;
  /// The value in whose object the owner lies that it was read from; null for a
  /// parameter, and when the owner may have been given something else since.
  const llvm::Value* holder = nullptr;
  /// What is no owner's: the holder itself, a parameter, or what was read from
  /// elsewhere in its object.
  enum class Of : uint8_t { Owner, Itself, Content };
  Of of = Of::Owner;

  bool isOwned() const { return kind != Owned::No; }
  bool isNothing() const { return kind == Owned::No && of == Of::Owner; }
  bool operator==(const OwnedValue&) const = default;
};

struct OwnershipState {
  llvm::SmallMapVector<const llvm::Value*, OwnedValue, 8> values;
  /// Where addresses lead that were put into local variables, those in owners
  /// left out.
  llvm::SmallMapVector<const llvm::Value*, OwnedValue, 4> carried;
};

/// What a function does to owners, in its own terms.
struct OwnershipSummary {
  bool releases = false;      ///< what it did before may be known to others afterwards
  uint32_t changes = 0;       ///< bit i: owners in parameter i's object may get something else
  bool changesOthers = false; ///< and owners elsewhere
  /// What it puts into a parameter's object, outside of owners.
  struct Put {
    bool other = false;    ///< what is not owned
    bool tied = false;     ///< what is tied to an owner that has no name in the caller
    uint32_t these = 0;    ///< bit j: parameter j itself
    uint32_t owned = 0;    ///< bit j: what an owner in parameter j's object has
    uint32_t contents = 0; ///< bit j: what is elsewhere in parameter j's object
    bool operator==(const Put&) const = default;
  };
  llvm::SmallVector<Put, 4> puts; ///< by parameter

  enum class Result : uint8_t { No, Tied, Loose, Owned, Content, Same };
  Result result = Result::No;
  /// Of which parameter: read from an owner in its object, or from elsewhere in
  /// it; or it is in it.
  uint32_t resultOf = 0;

  bool operator==(const OwnershipSummary&) const = default;
};

using OwnershipSummaries = llvm::DenseMap<uint32_t, OwnershipSummary>; ///< by instance

/// What holds for both.
OwnedValue meet(const OwnedValue& one, const OwnedValue& other);

/// The flow through one instance: an Analysis of Flow.
struct OwnershipFlow {
  const Owners& owners;
  const CallGraph& graph;
  const OwnershipSummaries& summaries; ///< of callees
  InstanceId id;
  const FunctionConstraints& body;
  OwnershipSummary* summary = nullptr; ///< collects what is done to parameters
  bool counting = isCounting();

  /// The value that an address is in the object of; for one that a call has
  /// returned as it was given it, the parameter.
  const llvm::Value* carrier(const OwnershipState& state, const llvm::Value* value) const;

  OwnedValue entryOf(const OwnershipState& state, const llvm::Value* value) const;

  /// What was read from an owner in the object of `holder`.
  OwnedValue readFrom(const OwnershipState& state, const llvm::Value* holder,
                      const llvm::Value* address) const;

  static void set(OwnershipState& state, const llvm::Value& value, const OwnedValue& entry);

  /// Owners in the holder's object may have got something else: what was read
  /// before stays ordered until the thread releases something.
  void change(OwnershipState& state, const llvm::Value* holder) const;

  /// The same for owners that no value of this function leads to.
  void changeOthers(OwnershipState& state) const;

  /// What was read from such holders, and what was read from that.
  void loosen(OwnershipState& state, llvm::function_ref<bool(const llvm::Value&)> isChanged) const;

  void release(OwnershipState& state) const;

  void carry(OwnershipState& state, const llvm::Value* local, const OwnedValue& entry) const;

  void step(OwnershipState& state, const llvm::Instruction& instruction) const;

  bool mayBeAddress(const llvm::Value* value) const;

  void stepLoad(OwnershipState& state, const llvm::LoadInst& load) const;

  void put(OwnershipState& state, const llvm::Value* address, const llvm::Value* value) const;

  void notePut(const OwnershipState& state, const llvm::Argument& into, const OwnedValue& entry,
               const llvm::Value* from) const;

  static const llvm::Argument* contentOf(const OwnedValue& entry);

  /// What is read from an owner that was itself read belongs to the first one's
  /// object.
  static const llvm::Value* firstHolder(const OwnershipState& state, const OwnedValue& entry);

  void overwrite(OwnershipState& state, const llvm::MemIntrinsic& memory) const;

  // --- calls

  void stepCall(OwnershipState& state, const llvm::CallBase& call) const;

  void apply(OwnershipState& state, const OwnershipState& before, const llvm::CallBase& call,
             const OwnershipSummary& done) const;

  void putInto(OwnershipState& state, const llvm::Value* into, const OwnedValue& entry,
               const llvm::Value* from) const;

  OwnedValue resultOf(const OwnershipState& before, const llvm::CallBase& call,
                      uint32_t index) const;

  OwnedValue returned(const OwnershipState& before, const llvm::CallBase& call,
                      const OwnershipSummary& done) const;

  /// What can be read in the holder's object outside of owners.
  static OwnedValue contentIn(const OwnershipState& state, const llvm::Value* holder);

  /// The phis of the next block get their values.
  void edge(OwnershipState& state, const OwnershipState&, const llvm::BasicBlock& from,
            const llvm::BasicBlock& to) const;

  bool merge(OwnershipState& into, const OwnershipState& from) const;

  static bool weaken(OwnedValue& entry, const OwnedValue& other);

private:
  bool isCounting() const;
};

} // namespace heddle::analysis
