#pragma once

#include "static/races/access_record.h"

#include <map>
#include <set>

namespace heddle::analysis {

/// What OpenMP orders inside of a team: barriers, what one thread does by itself, tasks and who
/// waits for them. docs/static-openmp.md has the rules.
class TeamOrder {
public:
  explicit TeamOrder(const Analyses& analyses);

  /// The kind of thread that a team has, for its threads and their tasks; 0: none, or teams of
  /// which there may be several at a time.
  uint32_t teamOf(uint32_t thread) const { return teams_[thread]; }
  /// Of two accesses whose threads can meet: whether these two can.
  bool mayMeet(const AccessRecord& one, const AccessRecord& other) const;

private:
  using Regions = std::set<const llvm::Value*>;
  using Anchors = std::set<const llvm::Instruction*>;

  /// How a team's thread starts a task.
  struct Creation {
    bool known = false;
    Regions regions;       ///< single or master, around it
    llvm::BitVector alive; ///< who may be alive then, of those that the thread has started
  };
  /// Where barriers divide a function: which one may have been the last.
  struct Phases {
    std::vector<const llvm::Instruction*> barriers;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> atStart;
  };

  void findTeams();
  uint32_t findTeam(uint32_t thread) const;
  bool isTask(uint32_t thread) const;
  uint32_t topTask(uint32_t thread) const;
  uint32_t threadOf(const AccessRecord& record) const;
  const llvm::Instruction& at(const AccessRecord& record) const;

  bool areInPhases(const AccessRecord& one, const AccessRecord& other, uint32_t team) const;
  bool findAnchors(uint32_t activation, const llvm::Instruction& at, Anchors& anchors,
                   std::set<std::pair<uint32_t, const llvm::Instruction*>>& seen) const;
  llvm::BitVector phasesOf(const AccessRecord& record, uint32_t team) const;
  const Phases& phasesIn(const llvm::Function& region) const;
  bool hasBarrier(const llvm::Function& function) const;
  bool dividesPhases(const llvm::Instruction& instruction) const;

  Regions regionsOf(const AccessRecord& record) const;
  const Creation& creationOf(uint32_t task) const;
  bool meetInThread(const AccessRecord& one, const AccessRecord& other) const;

  bool isPrivate(ObjectId object) const;
  bool findPrivate(const Object& object, ObjectId id) const;
  bool meetInFrame(const Object& object, const AccessRecord& one, const AccessRecord& other) const;

  const Analyses analyses_;
  std::vector<uint32_t> teams_;
  llvm::DenseMap<uint32_t, const llvm::Function*> regions_;    ///< by team
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> byInstance_; ///< activations
  mutable std::map<uint32_t, Creation> creations_;
  mutable std::map<const llvm::Function*, Phases> phases_;
  mutable llvm::DenseMap<const llvm::Function*, bool> barriers_;
  mutable llvm::DenseMap<ObjectId, bool> private_;
};

} // namespace heddle::analysis
