#pragma once

#include "static/sync/threads.h"

#include "llvm/ADT/BitVector.h"

namespace heddle::analysis {

/// Objects that more than one thread may reach: those that globals and the arguments of threads
/// lead to.
class Escape {
public:
  Escape(const PointsTo& pointsTo, const Threads& threads);

  bool escapes(ObjectId object) const { return escaping_.test(raw(object)); }
  size_t count() const { return escaping_.count(); }

private:
  void add(LocationId location);

  const PointsTo& pointsTo_;
  llvm::BitVector escaping_;
  std::vector<ObjectId> stack_;
};

} // namespace heddle::analysis
