#include "static/races/access_order.h"

#include "static/ir/standard_library.h"

using namespace llvm;

namespace heddle::analysis {

bool AccessOrder::mayMeet(const AccessRecord& one, const AccessRecord& other) const {
  uint32_t first = analyses_.activations.all()[one.activation].thread;
  uint32_t second = analyses_.activations.all()[other.activation].thread;
  if (areExclusive(one, other))
    return false;
  bool may = analyses_.parallel.mayMeet(first, second) ||
             analyses_.activations.alive(one.alive).test(second) ||
             analyses_.activations.alive(other.alive).test(first);
  return may && teams_.mayMeet(one, other);
}

/// Whether somebody has said that the two threads are never there together.
bool AccessOrder::areExclusive(const AccessRecord& one, const AccessRecord& other) const {
  return !analyses_.annotations.empty() &&
         analyses_.annotations.areExclusive(rootOf(one.activation), rootOf(other.activation));
}

bool AccessOrder::isJoined(const AccessRecord& one, const AccessRecord& other) const {
  uint32_t first = analyses_.activations.all()[one.activation].thread;
  uint32_t second = analyses_.activations.all()[other.activation].thread;
  if (areExclusive(one, other))
    return false;
  if (first == second)
    return analyses_.threads.all()[first].many; // one after the other
  if (is_contained(analyses_.threads.descendants(first), second))
    return hasStarted(second, one);
  if (is_contained(analyses_.threads.descendants(second), first))
    return hasStarted(first, other);
  return true; // whichever is started first has ended then
}

/// Whether the thread may have been started before the access, by the access's own thread.
bool AccessOrder::hasStarted(uint32_t thread, const AccessRecord& before) const {
  auto all = analyses_.activations.all();
  const Instruction* at = analyses_.sites[before.site].instruction;
  for (uint32_t index = before.activation;; index = all[index].parent) {
    if (analyses_.parallel.mayHaveStarted(thread, all[index].instance, *at))
      return true;
    if (!all[index].call)
      return false;
    at = all[index].call;
  }
}

bool AccessOrder::haveOwnMemory(const AccessRecord& one, const AccessRecord& other) const {
  auto all = analyses_.activations.all();
  return haveOwnSlots(one, other) || teamSlots_.areOwn(one, other) ||
         rounds_.areOwn(analyses_.pointsTo.location(one.location).object,
                        all[one.activation].thread, all[other.activation].thread);
}

/// Whether the two have an element each: a loop's iteration chooses it, and they are threads that
/// were created in different iterations, or the loop itself before it creates the iteration's
/// thread.
bool AccessOrder::haveOwnSlots(const AccessRecord& one, const AccessRecord& other) const {
  const Location& a = analyses_.pointsTo.location(one.location);
  const Location& b = analyses_.pointsTo.location(other.location);
  if (a.iteration == kNoIteration || a.iteration != b.iteration || a.stride != b.stride ||
      !analyses_.sites[one.site].size || !analyses_.sites[other.site].size)
    return false;
  uint64_t end = std::max(a.offset + analyses_.sites[one.site].size,
                          b.offset + analyses_.sites[other.site].size);
  if (end - std::min(a.offset, b.offset) > a.stride)
    return false;
  const Activation& first = analyses_.activations.all()[one.activation];
  const Activation& second = analyses_.activations.all()[other.activation];
  if (!iterations_.isSure(a, first.thread) || !iterations_.isSure(b, second.thread))
    return false;
  // What another run of the loop has started has the same iterations.
  InstanceId maker = analyses_.pointsTo.object(a.iteration).creator;
  for (uint32_t thread : {first.thread, second.thread})
    if (!analyses_.threads.runsOnce(maker) && analyses_.parallel.outlives(thread, maker))
      return false;
  if (first.instance == maker)
    return analyses_.threads.isBeforeCreation(*analyses_.sites[one.site].instruction, second.thread,
                                              a.iteration);
  if (second.instance == maker)
    return analyses_.threads.isBeforeCreation(*analyses_.sites[other.site].instruction,
                                              first.thread, a.iteration);
  return analyses_.threads.isOnePerIteration(first.thread, second.thread, a.iteration);
}

/// The program's own function that the activation's thread runs first.
const Function& AccessOrder::rootOf(uint32_t activation) const {
  auto all = analyses_.activations.all();
  const Function* root = analyses_.pointsTo.instance(all[activation].instance).body->function;
  for (uint32_t index = activation; all[index].call; index = all[index].parent)
    if (const Function* caller = all[index].call->getFunction();
        caller->getSubprogram() && !isLibrary(*caller))
      root = caller;
  return *root;
}

} // namespace heddle::analysis
