#include "describe/known_issues.h"

#include <algorithm>

namespace heddle {
namespace {

using Kind = KnownIssue::Kind;

constexpr const char* kSemaphoreText =
    "the semaphores of libstdc++ lose wake-ups: an acquire may go to sleep on a counter above "
    "zero, "
    "after others took and gave back what it had seen, and then no release wakes it";
constexpr const char* kSemaphoreReference = "https://gcc.gnu.org/bugzilla/show_bug.cgi?id=98033";

/// A reference for each; the headers of a version only where other versions are right.
constexpr KnownIssue kIssues[] = {
    {Kind::Defect, FindingKind::Deadlock, "std::__atomic_semaphore::", "bits/semaphore_base.h",
     kSemaphoreText, kSemaphoreReference},
    {Kind::Defect, FindingKind::Deadlock, "std::counting_semaphore<", "/semaphore", kSemaphoreText,
     kSemaphoreReference},
    {Kind::Benign, FindingKind::DataRace, "std::ctype<char>::narrow", "bits/locale_facets.h",
     "std::ctype<char> caches each character where all threads write the same value",
     "https://gcc.gnu.org/bugzilla/show_bug.cgi?id=77704"},
    {Kind::Benign, FindingKind::DataRace, "std::ctype<char>::widen", "bits/locale_facets.h",
     "std::ctype<char> caches each character where all threads write the same value",
     "https://gcc.gnu.org/bugzilla/show_bug.cgi?id=77704"},
};

bool isIn(const KnownIssue& issue, const Stack& stack) {
  return std::any_of(stack.begin(), stack.end(), [&](const Location& frame) {
    return frame.function.starts_with(issue.function) &&
           frame.file.find(issue.file) != std::string::npos;
  });
}

/// Whether the thread waits inside the library: in the frames before the first of the user's code.
bool waitsIn(const KnownIssue& issue, const ThreadInfo& thread) {
  return thread.state.starts_with("blocked") && isIn(issue, thread.stack);
}

bool shows(const Finding& finding, const KnownIssue& issue) {
  if (finding.kind != issue.finding)
    return false;
  if (finding.kind == FindingKind::Deadlock)
    return std::any_of(finding.threads.begin(), finding.threads.end(),
                       [&](const ThreadInfo& thread) { return waitsIn(issue, thread); });
  return !finding.sites.empty() &&
         std::all_of(finding.sites.begin(), finding.sites.end(), [&](const FindingSite& site) {
           return !site.stack.empty() && isIn(issue, {site.stack.front()});
         });
}

} // namespace

std::span<const KnownIssue> knownIssues() { return kIssues; }

const KnownIssue* knownIssueOf(const Finding& finding) {
  for (const KnownIssue& issue : kIssues)
    if (shows(finding, issue))
      return &issue;
  return nullptr;
}

std::string knownIssueText(const KnownIssue& issue) {
  const char* what = issue.kind == Kind::Defect ? "known defect of this library version: "
                                                : "known race of this library, harmless: ";
  return std::string(what) + issue.text + " (" + issue.reference + ")";
}

} // namespace heddle
