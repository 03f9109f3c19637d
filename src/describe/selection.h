#pragma once

#include "describe/object_names.h"
#include "describe/operations.h"

#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heddle {

/// How much an operation says about the failure.
enum class Weight { None, Low, Medium, High, Decisive };

/// Operations that a report shows as one step: one of them, the accesses that one call into a
/// library makes to one object, or the same operation over and over.
struct StepRow {
  std::vector<size_t> members; ///< indices of operations
  Weight weight = Weight::None;
  bool switched = false;  ///< the schedule brought the thread here
  bool inLibrary = false; ///< accesses of a library on behalf of a call
  /// How often this and the rows up to `roundEnd` come one after the other; they are one step.
  uint64_t rounds = 1;
  size_t roundEnd = 0; ///< index of an operation; that of the first member: the round is one row
  size_t firstMember() const { return members.front(); }
};

/// Chooses what of a run a report shows. Most important is what is given as decisive: it is always
/// shown, each operation as a step of its own. Then come operations that order threads and
/// accesses of the user's code to what the failure is about; then other shared accesses of the
/// user's code and what libraries do to the objects of the failure; then the rest that is shared,
/// and threads that were chosen and did nothing of that kind.
class Selection {
public:
  /// `decisive`: indices of operations.
  Selection(const std::vector<Operation>& operations, const RunRecord& record,
            const ObjectNames& objects, const std::vector<size_t>& decisive);

  /// What may be shown, in order.
  const std::vector<StepRow>& rows() const { return rows_; }
  /// Indices of the rows that are shown, in order: by weight, the last ones of each first.
  std::vector<size_t> choose(size_t mostRows) const;

private:
  /// Who touches a granule, and how. What a thread did to it before another one existed was handed
  /// over to that one and does not make it shared.
  struct Use {
    unsigned owner = 0;
    uint64_t lastByOwner = 0; ///< number of the operation
    bool severalThreads = false;
    bool written = false;
    bool shared() const { return severalThreads && written; }
  };

  Weight weight(size_t index) const;
  Weight weightOf(const Operation& operation) const;
  bool isOwnCode(const Operation& operation) const;
  bool isSettled(const Operation& operation) const;
  bool isInitialValue(const Operation& operation) const;
  bool isShared(uint64_t address) const;
  bool isFocus(const Operation& operation) const;
  bool isBlockOfFailure(const Operation& operation) const;
  void collectUses();
  void findBeginnings();
  void addFocus(uint64_t address);
  void findFocus();
  void focusOnWaits();
  void focusOnMeeting();
  template <typename Filter> void focusOnAccesses(const Filter& filter);
  void buildRows();
  void addToRows(size_t index, Weight weight, bool switched);
  bool joins(const StepRow& row, const Operation& operation) const;
  void foldRounds();
  bool isSameStep(const StepRow& one, const StepRow& other) const;
  size_t countRounds(size_t first, size_t length) const;

  const std::vector<Operation>& operations_;
  const RunRecord& record_;
  const ObjectNames& objects_;
  uint64_t firstCreation_ = 0;                        ///< number of the operation; 0: of no thread
  std::unordered_set<uint64_t> initialisedBySeveral_; ///< granules, by several threads
  std::unordered_map<uint64_t, uint64_t> initialWrites_; ///< the last one before that, by granule
  std::unordered_map<unsigned, uint64_t> began_; ///< number of the operation that created it
  std::unordered_map<uint64_t, Use> uses_;
  std::unordered_set<uint64_t> focus_;
  std::set<size_t> decisive_; ///< indices of operations
  std::vector<StepRow> rows_;
};

} // namespace heddle
