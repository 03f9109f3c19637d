#include "pipeline/commands/known_findings.h"

#include "describe/known_issues.h"

#include <map>

namespace heddle {
namespace {

bool isHarmless(const Finding& finding, const KnownIssue& issue) {
  return issue.kind == KnownIssue::Kind::Benign && finding.status != FindingStatus::Harmful;
}

} // namespace

void tellKnownIssues(Report& report, const Options& options) {
  if (!options.known)
    return;
  std::map<std::string, size_t> leftOut;
  std::erase_if(report.findings, [&](Finding& finding) {
    const KnownIssue* issue = knownIssueOf(finding);
    if (!issue)
      return false;
    if (isHarmless(finding, *issue))
      return ++leftOut[knownIssueText(*issue)] != 0;
    finding.notes.push_back(knownIssueText(*issue));
    return false;
  });
  for (const auto& [text, count] : leftOut)
    report.summary.push_back(std::to_string(count) +
                             (count == 1 ? " finding is a " : " findings are a ") + text +
                             "; --no-known reports them");
}

} // namespace heddle
