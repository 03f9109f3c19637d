#include "predict/lock_cycles.h"

#include <algorithm>

namespace heddle {
namespace {

bool waitsForLock(EventKind kind) {
  return kind == EventKind::MutexLock || kind == EventKind::WriteLock ||
         kind == EventKind::ReadLock || kind == EventKind::SpinLock;
}

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
    held.push_back({event.address, static_cast<SiteId>(event.site)});
}

/// Announced before it is known whether it waits: what counts is that it asks.
void LockCycles::request(const Event& event) {
  const std::vector<Holding>& held = holdings(event.thread);
  bool again = std::any_of(held.begin(), held.end(),
                           [&](const Holding& h) { return h.lock == event.address; });
  if (held.empty() || again)
    return;
  std::vector<uint64_t> key{event.thread, event.address, event.site};
  for (const Holding& h : held)
    key.push_back(h.lock), key.push_back(raw(h.site));
  if (!known_.insert(std::move(key)).second)
    return;
  Request request{{event.thread, 0, event.address, SiteId::None, static_cast<SiteId>(event.site)},
                  order_.held(event.thread),
                  {},
                  order_.mustTime(event.thread),
                  order_.mustClock(event.thread)};
  for (const Holding& h : held)
    request.held.emplace_back(h.lock, h.site);
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
  for (const Request& request : requests_) {
    std::vector<const Request*> path{&request};
    extend(path, found);
  }
  return found;
}

void LockCycles::extend(std::vector<const Request*>& path, std::vector<LockCycle>& found) {
  auto holds = [](const Request& request, uint64_t lock) {
    return std::any_of(request.held.begin(), request.held.end(),
                       [&](const auto& held) { return held.first == lock; });
  };
  for (const Request& next : requests_) {
    // The first request of a path is the one that was recorded first: each cycle is found once.
    if (&next <= path.front() || !holds(next, path.back()->edge.wanted))
      continue;
    if (!std::all_of(path.begin(), path.end(), [&](auto* p) { return canMeet(*p, next); }))
      continue;
    path.push_back(&next);
    if (holds(*path.front(), next.edge.wanted))
      keep(path, found);
    else if (path.size() < kMostEdges)
      extend(path, found);
    path.pop_back();
  }
}

void LockCycles::keep(const std::vector<const Request*>& path, std::vector<LockCycle>& found) {
  LockCycle cycle;
  std::vector<uint32_t> sites;
  for (size_t i = 0; i < path.size(); ++i) {
    LockEdge edge = path[i]->edge;
    edge.held = path[(i + path.size() - 1) % path.size()]->edge.wanted;
    for (const auto& [lock, site] : path[i]->held)
      if (lock == edge.held)
        edge.heldSite = site;
    cycle.edges.push_back(edge);
    sites.push_back(raw(edge.site));
  }
  std::sort(sites.begin(), sites.end());
  if (reported_.insert(std::move(sites)).second)
    found.push_back(std::move(cycle));
}

} // namespace heddle
