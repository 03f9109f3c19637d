#include "static/races/team_slots.h"

#include "static/program/openmp.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr size_t kLongestWay = 12;

} // namespace

bool TeamSlots::sharesLoops(uint32_t thread) const {
  if (!teams_.teamOf(thread))
    return false;
  const Function& entry =
      *analyses_.pointsTo.instance(analyses_.threads.all()[thread].entry).body->function;
  return isTeamEntry(entry) || isTaskLoopEntry(entry);
}

/// The address in terms of the region that the thread executes; nothing when several ways lead
/// there.
std::optional<Sum> TeamSlots::addressOf(const AccessRecord& record) const {
  auto all = analyses_.activations.all();
  uint32_t index = record.activation;
  const Function& entry =
      *analyses_.pointsTo.instance(analyses_.threads.all()[all[index].thread].entry).body->function;
  const Function* region = regionOf(entry);
  std::vector<const CallBase*> calls; // innermost first
  while (analyses_.pointsTo.instance(all[index].instance).body->function != region) {
    if (!all[index].call || calls.size() > kLongestWay ||
        !analyses_.activations.otherCallers(index).empty())
      return std::nullopt;
    calls.push_back(all[index].call);
    index = all[index].parent;
  }
  std::vector<CalledFrom> frames(calls.size());
  for (size_t i = 0; i < calls.size(); ++i)
    frames[i] = {calls[i], i + 1 < calls.size() ? &frames[i + 1] : nullptr};
  return sums_.of(analyses_.sites[record.site].address, frames.empty() ? nullptr : frames.data());
}

bool TeamSlots::areOwn(const AccessRecord& one, const AccessRecord& other) const {
  uint32_t thread = analyses_.activations.all()[one.activation].thread;
  uint64_t size = analyses_.sites[one.site].size;
  uint64_t otherSize = analyses_.sites[other.site].size;
  if (thread != analyses_.activations.all()[other.activation].thread || !size || !otherSize ||
      !sharesLoops(thread))
    return false;
  auto first = addressOf(one);
  auto second = first ? addressOf(other) : std::nullopt;
  return second && sums_.areApart(*first, size, *second, otherSize);
}

} // namespace heddle::analysis
