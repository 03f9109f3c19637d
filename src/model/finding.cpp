#include "model/finding.h"

#include "model/ids.h"

#include <array>
#include <cstdio>
#include <string_view>
#include <tuple>

namespace heddle {
namespace {

constexpr std::array kKindNames = {
    "data-race",    "deadlock", "atomicity-violation", "assertion",        "crash", "exception",
    "memory-error", "hang",     "exit-status",         "not-linearizable",
};
constexpr std::array kStatusNames = {"potential", "confirmed", "harmful"};

uint64_t mixText(uint64_t hash, std::string_view text) {
  hash = mix(hash, text.size());
  for (unsigned char byte : text)
    hash = mix(hash, byte);
  return hash;
}

std::string_view baseName(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

uint64_t mixSite(uint64_t hash, const FindingSite& site) {
  hash = mixText(hash, site.linkageName);
  hash = mixText(hash, baseName(site.location.file));
  hash = mixText(hash, site.object);
  hash = mixText(hash, site.access);
  return mix(hash, site.ordinal);
}

} // namespace

bool isNote(const Finding& finding) {
  return finding.kind == FindingKind::AtomicityViolation &&
         finding.status == FindingStatus::Confirmed && finding.inferred;
}

const char* findingKindName(FindingKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

const char* findingStatusName(FindingStatus status) {
  return kStatusNames[static_cast<size_t>(status)];
}

std::optional<FindingKind> parseFindingKind(const std::string& name) {
  for (size_t i = 0; i < kKindNames.size(); ++i)
    if (name == kKindNames[i])
      return static_cast<FindingKind>(i);
  return std::nullopt;
}

std::optional<FindingStatus> parseFindingStatus(const std::string& name) {
  for (size_t i = 0; i < kStatusNames.size(); ++i)
    if (name == kStatusNames[i])
      return static_cast<FindingStatus>(i);
  return std::nullopt;
}

bool racesFirst(const FindingSite& one, const FindingSite& other) {
  auto rank = [](const FindingSite& site) {
    bool changes = site.access == "write" || site.access == "free";
    return std::tuple(!changes, std::tie(site.linkageName, site.object, site.ordinal, site.thread));
  };
  return rank(one) < rank(other);
}

std::string fingerprint(const Finding& finding) {
  uint64_t hash = mixText(0x4845444cull, findingKindName(finding.kind));
  for (const FindingSite& site : finding.sites)
    hash = mixSite(hash, site);
  // Two units that reach the members through the same functions are torn at the same sites.
  for (const std::string& unit : finding.units)
    hash = mixText(hash, unit);
  bool named = !finding.sites.empty();
  if (!named && finding.failure && finding.failure->site) {
    hash = mixSite(hash, *finding.failure->site);
    named = true;
  }
  // Without any site (no instrumented frame was on the stack) the message is all there is.
  if (!named)
    hash = mixText(hash, finding.failure ? finding.failure->message : finding.message);
  // A unit that is torn in two tests breaks something else in each.
  bool ofTest = finding.kind == FindingKind::AtomicityViolation && finding.failure;
  if ((!named || ofTest) && !finding.test.empty())
    hash = mixText(hash, finding.test);
  char text[32];
  snprintf(text, sizeof(text), "H-%012llx",
           static_cast<unsigned long long>(hash & 0xffffffffffffull));
  return text;
}

} // namespace heddle
