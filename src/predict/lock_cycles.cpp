#include "predict/lock_cycles.h"

#include <algorithm>

namespace heddle {
namespace {

bool waitsForLock(EventKind kind) {
  return kind == EventKind::MutexLock || kind == EventKind::WriteLock ||
         kind == EventKind::ReadLock || kind == EventKind::SpinLock;
}

/// Long paths through many locks: what was not found by then is given up.
constexpr uint64_t kMaxWork = 20'000'000;

bool takesLock(EventKind kind) { return waitsForLock(kind) || kind == EventKind::MutexTryLock; }

bool givesBack(EventKind kind) {
  return kind == EventKind::MutexUnlock || kind == EventKind::RwUnlock ||
         kind == EventKind::SpinUnlock;
}

} // namespace

void LockCycles::add(std::span<const Event> events) {
  for (const Event& event : events)
    add(event);
}

std::vector<LockCycles::Holding>& LockCycles::holdings(uint32_t thread) {
  if (thread >= holdings_.size())
    holdings_.resize(thread + 1);
  return holdings_[thread];
}

void LockCycles::add(const Event& event) {
  order_.add(event);
  callers_.add(event);
  auto kind = static_cast<EventKind>(event.kind);
  if (!takesLock(kind) && !givesBack(kind))
    return;
  std::vector<Holding>& held = holdings(event.thread);
  auto mine = std::find_if(held.begin(), held.end(),
                           [&](const Holding& h) { return h.lock == event.address; });
  if (givesBack(kind) || event.result != 0) { // an attempt that failed takes back what it announced
    if (mine != held.end())
      held.erase(mine);
    return;
  }
  if (waitsForLock(kind))
    request(event);
  if (mine == held.end())
    held.push_back({event.address, static_cast<SiteId>(event.site), callers_.of(event)});
}

/// Announced before it is known whether it waits: what counts is that it asks.
void LockCycles::request(const Event& event) {
  const std::vector<Holding>& held = holdings(event.thread);
  bool again = std::any_of(held.begin(), held.end(),
                           [&](const Holding& h) { return h.lock == event.address; });
  if (held.empty() || again)
    return;
  std::vector<uint64_t> key{event.thread, event.address, event.site, raw(callers_.of(event))};
  for (const Holding& h : held)
    key.insert(key.end(), {h.lock, raw(h.site), raw(h.caller)});
  if (!known_.insert(std::move(key)).second)
    return;
  LockEdge edge;
  edge.thread = event.thread;
  edge.wanted = event.address;
  edge.site = static_cast<SiteId>(event.site);
  edge.caller = callers_.of(event);
  Request request{edge, order_.held(event.thread), held, order_.mustTime(event.thread),
                  order_.mustClock(event.thread)};
  requests_.push_back(std::move(request));
}

bool LockCycles::canMeet(const Request& one, const Request& other) {
  return one.edge.thread != other.edge.thread &&
         !order_.lockSets().exclude(one.locks, other.locks) &&
         one.time > other.must.at(one.edge.thread) && other.time > one.must.at(other.edge.thread);
}

std::vector<LockCycle> LockCycles::cycles() {
  std::vector<LockCycle> found;
  reported_.clear();
  work_ = 0;
  for (const Request& request : requests_) {
    std::vector<const Request*> path{&request};
    extend(path, found);
  }
  return found;
}

void LockCycles::extend(std::vector<const Request*>& path, std::vector<LockCycle>& found) {
  auto holds = [](const Request& request, uint64_t lock) {
    return std::any_of(request.held.begin(), request.held.end(),
                       [&](const Holding& held) { return held.lock == lock; });
  };
  for (const Request& next : requests_) {
    if (++work_ > kMaxWork)
      return;
    // The first request of a path is the one that was recorded first: each cycle is found once.
    if (&next <= path.front() || !holds(next, path.back()->edge.wanted))
      continue;
    if (!std::all_of(path.begin(), path.end(), [&](auto* p) { return canMeet(*p, next); }))
      continue;
    path.push_back(&next);
    if (holds(*path.front(), next.edge.wanted))
      keep(path, found);
    else if (path.size() < kMaxEdges)
      extend(path, found);
    path.pop_back();
  }
}

void LockCycles::keep(const std::vector<const Request*>& path, std::vector<LockCycle>& found) {
  LockCycle cycle;
  std::vector<uint64_t> sites;
  for (size_t i = 0; i < path.size(); ++i) {
    LockEdge edge = path[i]->edge;
    edge.held = path[(i + path.size() - 1) % path.size()]->edge.wanted;
    for (const Holding& held : path[i]->held)
      if (held.lock == edge.held) {
        edge.heldSite = held.site;
        edge.heldCaller = held.caller;
      }
    cycle.edges.push_back(edge);
    sites.push_back(uint64_t{raw(edge.site)} << 32 | raw(edge.caller));
  }
  std::sort(sites.begin(), sites.end());
  if (reported_.insert(std::move(sites)).second)
    found.push_back(std::move(cycle));
}

} // namespace heddle
