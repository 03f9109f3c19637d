#include "predict/composing_functions.h"

#include "predict/reference_counts.h"

#include <algorithm>
#include <set>

namespace heddle {
namespace {

/// Objects that are looked at; a program with more is understood from these.
constexpr size_t kMaxObjects = 10'000;

bool isStep(EventKind kind) {
  switch (kind) {
  case EventKind::MutexLock:
  case EventKind::MutexTryLock:
  case EventKind::ReadLock:
  case EventKind::WriteLock:
  case EventKind::SpinLock:
  case EventKind::AtomicRead:
  case EventKind::AtomicWrite:
  case EventKind::AtomicUpdate:
    return true;
  default:
    return false;
  }
}

} // namespace

void ComposingFunctions::add(std::span<const Event> events) {
  for (const Event& event : events)
    add(event);
}

void ComposingFunctions::add(const Event& event) {
  auto kind = static_cast<EventKind>(event.kind);
  if (kind == EventKind::Frame)
    frame(event);
  else if (isStep(kind) && event.address != 0)
    step(event);
}

void ComposingFunctions::frame(const Event& event) {
  if (event.thread >= frames_.size())
    frames_.resize(event.thread + 1u);
  Path& frames = frames_[event.thread];
  if (event.size > frames.size())
    return; // a stack of which the beginning is missing
  frames.resize(event.size);
  if (event.site != 0)
    frames.push_back(event.site);
}

void ComposingFunctions::step(const Event& event) {
  if (!objects_.contains(event.address) && objects_.size() == kMaxObjects)
    return;
  Path path = event.thread < frames_.size() ? frames_[event.thread] : Path();
  path.push_back(event.site);
  Steps& steps = objects_[event.address];
  Path& last = steps.last[event.thread];
  if (!last.empty()) {
    auto [own, other] = std::mismatch(path.begin(), path.end(), last.begin(), last.end());
    // Where both are the same, it is a loop that takes one step in each round.
    if (own != path.end() && other != last.end())
      steps.parts.emplace(*own, static_cast<size_t>(own - path.begin()));
  }
  last = std::move(path);
}

std::vector<std::string> ComposingFunctions::innermostFirst(const SiteCatalog& sites) const {
  std::vector<std::pair<size_t, std::string>> found; // by depth
  for (const auto& [address, steps] : objects_) {
    if (steps.last.size() < 2)
      continue; // nobody else uses it
    for (const auto& [site, depth] : steps.parts) {
      const SiteEntry* entry = sites.find(static_cast<SiteId>(site));
      if (entry && !entry->linkageName.empty() && (entry->flags & kSiteLibrary) == 0 &&
          !countsReferences(entry->linkageName))
        found.emplace_back(depth, entry->linkageName);
    }
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> names;
  for (auto& [depth, name] : found)
    if (std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  return names;
}

} // namespace heddle
