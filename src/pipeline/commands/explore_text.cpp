#include "pipeline/commands/explore_text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace heddle {

namespace {

using explore::FoundFailure;
using explore::Operation;
using explore::OperationKind;

constexpr size_t kMaxLines = 20;

/// Of accesses and locks; null: it is neither.
const char* accessWord(OperationKind kind) {
  using Kind = OperationKind;
  switch (kind) {
  case Kind::Read:
  case Kind::LoadWord:
  case Kind::OnceCheck:
    return "read";
  case Kind::Write:
  case Kind::StoreWord:
    return "write";
  case Kind::Update:
  case Kind::UpdateWord:
    return "update";
  case Kind::CompareExchange:
  case Kind::CompareExchangeWord:
    return "compare-exchange";
  case Kind::Free:
    return "free";
  case Kind::Acquire:
    return "lock";
  case Kind::TryAcquire:
    return "try lock";
  case Kind::Release:
    return "unlock";
  case Kind::AcquireShared:
    return "shared lock";
  case Kind::TryAcquireShared:
    return "shared try lock";
  case Kind::ReleaseShared:
    return "shared unlock";
  default:
    return nullptr;
  }
}

const char* wordFor(OperationKind kind) {
  using Kind = OperationKind;
  if (const char* word = accessWord(kind))
    return word;
  switch (kind) {
  case Kind::Wait:
  case Kind::WordWait:
    return "wait";
  case Kind::Wake:
  case Kind::WordResume:
    return "end of a wait";
  case Kind::NotifyOne:
    return "notify one";
  case Kind::NotifyAll:
    return "notify all";
  case Kind::SemaphoreWait:
    return "semaphore wait";
  case Kind::SemaphoreTryWait:
    return "semaphore try wait";
  case Kind::SemaphorePost:
    return "semaphore post";
  case Kind::BarrierArrive:
    return "barrier";
  case Kind::BarrierDepart:
    return "barrier passed";
  case Kind::LatchCountDown:
    return "count down";
  case Kind::LatchWait:
  case Kind::LatchTryWait:
    return "latch wait";
  case Kind::OnceBegin:
    return "once";
  case Kind::OnceEnd:
  case Kind::OnceAbandon:
    return "once done";
  case Kind::Spawn:
    return "create";
  case Kind::Join:
    return "join";
  case Kind::Exit:
    return "exit";
  default:
    return "failure";
  }
}

ExploredStep describeStep(const Operation& operation, const SiteCatalog& sites) {
  ExploredStep step{operation.thread, wordFor(operation.kind)};
  if (const SiteEntry* site = sites.find(operation.site)) {
    step.file = site->file;
    step.line = site->line;
    step.object = site->object;
  }
  return step;
}

std::string stepAsText(const ExploredStep& step) {
  std::string object = step.object.empty() ? "" : " " + step.object;
  std::string place = step.line == 0 ? "" : fmt::format(" ({}:{})", step.file, step.line);
  return fmt::format("T{} {}{}{}", step.thread, step.access, object, place);
}

} // namespace

bool SourcePlace::isThatOf(const SiteEntry& site) const {
  if (site.line != line || !site.file.ends_with(file))
    return false;
  return site.file.size() == file.size() || site.file[site.file.size() - file.size() - 1] == '/';
}

std::optional<SourcePlace> parseSourcePlace(const std::string& text) {
  size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return std::nullopt;
  SourcePlace place{text.substr(0, colon), 0};
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data() + colon + 1, end, place.line);
  if (error != std::errc() || stop != end || place.line == 0)
    return std::nullopt;
  return place;
}

ExploredFailure describeFailure(const FoundFailure& failure, const SiteCatalog& sites) {
  ExploredFailure told{failureKindName(failure.kind), failure.classes, failure.firstRun};
  if (const SiteEntry* site = sites.find(failure.site))
    told.site = fmt::format("{}:{}", site->file, site->line);
  for (const auto& pair : failure.pairs)
    told.schedule.emplace_back(describeStep(pair.first, sites), describeStep(pair.second, sites));
  return told;
}

std::vector<std::string> failureAsText(const ExploredFailure& failure) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format(
      "value schedule of the first {} (run {}), each step before the other:", failure.kind,
      failure.firstRun));
  size_t shown = std::min(failure.schedule.size(), kMaxLines);
  for (size_t i = 0; i < shown; ++i)
    lines.push_back(fmt::format("  {} < {}", stepAsText(failure.schedule[i].first),
                                stepAsText(failure.schedule[i].second)));
  if (failure.schedule.size() > shown)
    lines.push_back(
        fmt::format("  and {} more (--format=json has all)", failure.schedule.size() - shown));
  return lines;
}

} // namespace heddle
