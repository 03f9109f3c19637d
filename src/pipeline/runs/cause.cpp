#include "pipeline/runs/cause.h"

#include "describe/finding_builder.h"

#include <algorithm>
#include <set>

namespace heddle {
namespace {

std::string placeOf(const FindingSite& site) {
  const Location& location = site.location;
  if (location.line == 0) // without debug information the name is all there is
    return site.linkageName + " " + site.access + " " + site.object + " " +
           std::to_string(site.ordinal);
  return location.file + ":" + std::to_string(location.line) + ":" +
         std::to_string(location.column);
}

bool isAssertion(const Finding& finding) {
  return finding.kind == FindingKind::Assertion &&
         finding.message.find("ssertion") != std::string::npos;
}

std::vector<FindingSite> sitesOfCause(const Finding& finding, const RunRecord& record) {
  if (finding.kind != FindingKind::Deadlock)
    return {finding.sites.begin(), finding.sites.begin() + !finding.sites.empty()};
  std::vector<unsigned> circle = waitCircle(record.threads);
  if (circle.empty())
    return finding.sites;
  std::vector<FindingSite> sites;
  for (const FindingSite& site : finding.sites)
    if (std::find(circle.begin(), circle.end(), site.thread) != circle.end())
      sites.push_back(site);
  return sites;
}

} // namespace

std::string causeOf(const CapturedRun& failing) {
  Finding finding = buildFinding(failing, failing.record, nullptr, 0);
  std::string cause = findingKindName(finding.kind);
  if (isAssertion(finding))
    return cause + " " + finding.message;
  std::set<std::string> places;
  for (const FindingSite& site : sitesOfCause(finding, failing.record))
    places.insert(placeOf(site));
  if (places.empty())
    return cause + " " + finding.message;
  for (const std::string& place : places)
    cause += " " + place;
  return cause;
}

} // namespace heddle
