#include "static/sharing/escape.h"

using namespace llvm;

namespace heddle::analysis {

Escape::Escape(const PointsTo& pointsTo, const Threads& threads)
    : pointsTo_(pointsTo), escaping_(pointsTo.objectCount()) {
  for (uint32_t i = 0; i < pointsTo.objectCount(); ++i) {
    const Object& object = pointsTo.object(static_cast<ObjectId>(i));
    if (object.kind == ObjectKind::Global && !object.isThreadLocal()) {
      escaping_.set(i);
      stack_.push_back(static_cast<ObjectId>(i));
    }
  }
  for (const Thread& thread : threads.all()) {
    if (thread.entry == InstanceId::None)
      continue;
    for (Operand parameter : pointsTo.instance(thread.entry).body->parameters)
      for (uint32_t location : pointsTo.pointees(thread.entry, parameter))
        add(static_cast<LocationId>(location));
  }
  while (!stack_.empty()) {
    ObjectId object = stack_.back();
    stack_.pop_back();
    for (LocationId location : pointsTo.object(object).locations)
      for (uint32_t content : pointsTo.contents(location))
        add(static_cast<LocationId>(content));
  }
}

void Escape::add(LocationId location) {
  ObjectId object = pointsTo_.location(location).object;
  if (pointsTo_.object(object).isThreadLocal() || escaping_.test(raw(object)))
    return;
  escaping_.set(raw(object));
  stack_.push_back(object);
}

} // namespace heddle::analysis
