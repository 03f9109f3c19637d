#include "pipeline/runs/suppressions.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace heddle {
namespace {

/// Those of ThreadSanitizer, one for each further kind of finding, and `id` for a finding by its
/// id. Types of ThreadSanitizer that no finding of heddle has are taken, so that its files load.
constexpr std::array<std::string_view, 16> kTypes = {
    "race",      "race_top", "deadlock",     "atomicity",      "assertion",        "crash",
    "exception", "hang",     "memory-error", "exit-status",    "not-linearizable", "id",
    "thread",    "mutex",    "signal",       "called_from_lib"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Whether `pattern`, in which `*` is any text, matches all of `name`.
bool matchesWhole(std::string_view pattern, std::string_view name) {
  size_t at = 0, read = 0;
  size_t star = std::string_view::npos, mark = 0;
  while (read < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      mark = read;
    } else if (at < pattern.size() && pattern[at] == name[read]) {
      ++at;
      ++read;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      read = ++mark;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*')
    ++at;
  return at == pattern.size();
}

bool isOfKind(std::string_view type, FindingKind kind) {
  if (type == "race" || type == "race_top")
    return kind == FindingKind::DataRace;
  if (type == "atomicity")
    return kind == FindingKind::AtomicityViolation;
  return type == "id" || type == findingKindName(kind);
}

/// The names of a finding that a suppression may mean.
std::vector<std::string_view> namesOf(const Finding& finding, std::string_view type) {
  if (type == "id")
    return {finding.id};
  bool onlyTop = type == "race_top";
  std::vector<std::string_view> names;
  bool isFailure = finding.kind != FindingKind::DataRace && finding.kind != FindingKind::Deadlock &&
                   finding.kind != FindingKind::AtomicityViolation;
  if (isFailure) // what is thrown, or the condition that does not hold
    names.push_back(finding.message);
  auto add = [&](const Location& location) {
    names.push_back(location.function);
    names.push_back(location.file);
  };
  for (const FindingSite& site : finding.sites) {
    names.push_back(site.object);
    add(site.location);
    for (size_t i = 0; i < site.stack.size() && !(onlyTop && i > 0); ++i)
      add(site.stack[i]);
  }
  return names;
}

std::string knownTypes() {
  std::string text;
  for (std::string_view type : kTypes)
    text += (text.empty() ? "" : ", ") + std::string(type);
  return text;
}

} // namespace

void reportSuppressions(uint64_t suppressed, const std::vector<std::string>& unused,
                        Report& report) {
  if (suppressed != 0) {
    report.summary.push_back("suppressed: " + std::to_string(suppressed) + " of what was found");
    report.suppressed = suppressed;
  }
  std::string lines;
  for (const std::string& line : unused)
    lines += (lines.empty() ? "" : ", ") + line;
  if (!lines.empty())
    report.summary.push_back("suppressions that nothing matched: " + lines);
}

bool matchesPattern(std::string_view pattern, std::string_view name) {
  bool fromBegin = pattern.starts_with('^');
  bool toEnd = pattern.ends_with('$');
  pattern.remove_prefix(fromBegin);
  if (toEnd && !pattern.empty())
    pattern.remove_suffix(1);
  std::string whole = (fromBegin ? "" : "*") + std::string(pattern) + (toEnd ? "" : "*");
  return !pattern.empty() && matchesWhole(whole, name);
}

Result<Suppressions> Suppressions::read(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    return Error{"cannot read the suppressions " + path + ": " + strerror(errno),
                 ErrorKind::Environment};
  std::ostringstream text;
  text << file.rdbuf();
  return parse(text.str(), path);
}

Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& name) {
  Suppressions result;
  for (size_t number = 1; !text.empty(); ++number) {
    size_t end = text.find('\n');
    std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line.starts_with('#'))
      continue;
    size_t colon = line.find(':');
    std::string where = name + ":" + std::to_string(number) + ": ";
    if (colon == std::string_view::npos || trimmed(line.substr(colon + 1)).empty())
      return Error{where + "expected type:pattern, found '" + std::string(line) + "'",
                   ErrorKind::Usage};
    std::string_view type = trimmed(line.substr(0, colon));
    if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end())
      return Error{where + "unknown type '" + std::string(type) + "' (known: " + knownTypes() + ")",
                   ErrorKind::Usage};
    result.rules_.push_back({std::string(type), std::string(trimmed(line.substr(colon + 1))), 0});
  }
  return result;
}

size_t Suppressions::ruleFor(const Finding& finding) const {
  for (size_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    if (!isOfKind(rule.type, finding.kind))
      continue;
    auto names = namesOf(finding, rule.type);
    if (std::any_of(names.begin(), names.end(),
                    [&](std::string_view name) { return matchesPattern(rule.pattern, name); }))
      return i;
  }
  return rules_.size();
}

bool Suppressions::matches(const Finding& finding) const {
  return ruleFor(finding) != rules_.size();
}

bool Suppressions::suppress(const Finding& finding) {
  size_t rule = ruleFor(finding);
  if (rule == rules_.size())
    return false;
  ++rules_[rule].used;
  ++suppressed_;
  return true;
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> lines;
  for (const Rule& rule : rules_)
    if (rule.used == 0)
      lines.push_back(rule.type + ":" + rule.pattern);
  return lines;
}

} // namespace heddle
