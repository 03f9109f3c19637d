#include "pipeline/candidates/set_annotations.h"

#include "model/member_layout.h"
#include "model/spelling.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace heddle {
namespace {

/// Whether a name that somebody wrote means this one: the same, or its end behind "::".
bool means(const std::string& written, const std::string& name) {
  if (!name.ends_with(written))
    return false;
  std::string_view before(name.data(), name.size() - written.size());
  return before.empty() || before.ends_with("::");
}

std::string plainName(const std::string& function) {
  return function.substr(0, function.find('('));
}

std::string memberName(const std::string& set, const std::string& member, bool global) {
  return global || set.empty() ? member : set + "::" + member;
}

std::set<std::string> functionsOf(const SiteCatalog& sites) {
  std::set<std::string> names;
  for (const SiteEntry& site : sites.entries())
    if (site.kind == SiteKind::Enter)
      names.insert(plainName(site.function));
  return names;
}

/// Classes with their members, and globals.
std::set<std::string> membersOf(const SiteCatalog& sites, bool withClasses) {
  std::set<std::string> names;
  for (const SiteEntry& site : sites.entries()) {
    if (site.kind != SiteKind::Enter)
      continue;
    bool global = (site.flags & kSiteGlobal) != 0;
    if (withClasses && !global)
      names.insert(site.object);
    for (const Member& member : parseMembers(site.callee))
      names.insert(memberName(site.object, member.name, global));
  }
  return names;
}

} // namespace

Result<SetAnnotations> SetAnnotations::read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file)
    return Error{path + ": cannot be read\n  --sets takes the path of a file",
                 ErrorKind::Environment};
  SetAnnotations annotations;
  annotations.path_ = path;
  if (Status status = annotations.parse(text.str()); !status)
    return status.error();
  return annotations;
}

Error SetAnnotations::wrong(unsigned line, const std::string& what) const {
  return Error{path_ + ":" + std::to_string(line) + ": " + what +
                   "\n  expected is `set MEMBER MEMBER ...`, `not-in-set MEMBER-OR-CLASS ...`, "
                   "`unit FUNCTION ...` or `not-unit FUNCTION ...`",
               ErrorKind::Usage};
}

Status SetAnnotations::parse(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    std::string name;
    if (!(words >> word))
      continue;
    Names names;
    while (words >> name)
      names.push_back({name, number});
    if (Status status = take(word, std::move(names), number); !status)
      return status;
  }
  return Success{};
}

Status SetAnnotations::take(const std::string& word, Names names, unsigned line) {
  if (word == "set") {
    if (names.size() < 2)
      return wrong(line, "a set needs two members");
    sets_.push_back(std::move(names));
    return Success{};
  }
  Names* list = word == "unit"         ? &units_
                : word == "not-unit"   ? &notUnits_
                : word == "not-in-set" ? &notInSets_
                                       : nullptr;
  if (!list) {
    std::string near = didYouMean(word, {"set", "not-in-set", "unit", "not-unit"});
    return wrong(line, "unknown word '" + word + "'" +
                           (near.empty() ? "" : "; did you mean " + near + "?"));
  }
  if (names.empty())
    return wrong(line, word + " names nothing");
  list->insert(list->end(), names.begin(), names.end());
  return Success{};
}

std::vector<std::string> SetAnnotations::addDeclarations(const SiteCatalog& sites) {
  constexpr std::string_view set = "heddle_atomic_set";
  std::map<std::string, Names> byName;
  std::set<std::string> unknown;
  for (const SiteEntry& site : sites.entries()) {
    bool inSet = site.callee.starts_with(set);
    if (site.kind != SiteKind::Call || !(inSet || site.callee == "heddle_not_in_set"))
      continue;
    if (site.object.empty())
      unknown.insert(site.file.empty() ? plainName(site.function)
                                       : site.file + ":" + std::to_string(site.line));
    else if (inSet)
      byName[site.callee.substr(set.size())].push_back({site.object, 0});
    else
      notInSets_.push_back({site.object, 0});
  }
  for (auto& [name, members] : byName)
    sets_.push_back(std::move(members));
  return {unknown.begin(), unknown.end()};
}

Status SetAnnotations::check(const SiteCatalog& sites) const {
  auto find = [&](const Names& names, const std::set<std::string>& known, const char* what) {
    for (const Name& name : names) {
      if (name.line == 0)
        continue; // the compiler has found it
      bool exists = std::any_of(known.begin(), known.end(),
                                [&](const std::string& one) { return means(name.text, one); });
      if (exists)
        continue;
      std::string near = didYouMean(name.text, {known.begin(), known.end()});
      return Status(Error{path_ + ":" + std::to_string(name.line) + ": the program has no " + what +
                              " '" + name.text + "'" +
                              (near.empty() ? "" : "; did you mean " + near + "?") +
                              "\n  names are written as in the source, qualified or not",
                          ErrorKind::Usage});
    }
    return Status(Success{});
  };
  std::set<std::string> functions = functionsOf(sites);
  std::set<std::string> members = membersOf(sites, /*withClasses=*/false);
  std::set<std::string> all = membersOf(sites, /*withClasses=*/true);
  for (const Names* names : {&units_, &notUnits_})
    if (Status status = find(*names, functions, "function"); !status)
      return status;
  for (const Names& names : sets_)
    if (Status status = find(names, members, "member or global"); !status)
      return status;
  return find(notInSets_, all, "member, global or class");
}

std::set<std::string> SetAnnotations::declaredUnits(const SiteCatalog& sites) const {
  std::set<std::string> result = guessedUnits_;
  for (const SiteEntry& site : sites.entries())
    for (const Name& name : units_)
      if (site.kind == SiteKind::Enter && means(name.text, plainName(site.function)))
        result.insert(site.linkageName);
  return result;
}

std::set<uint64_t> SetAnnotations::declaredEntries(const SiteCatalog& sites) const {
  std::set<std::string> functions = declaredUnits(sites);
  std::set<uint64_t> result;
  for (const SiteEntry& site : sites.entries())
    if (site.kind == SiteKind::Enter && (site.flags & kSiteCallees) != 0 && site.object.empty() &&
        functions.contains(site.linkageName))
      result.insert(raw(site.identity));
  return result;
}

bool SetAnnotations::hasDeclaredSet(const std::string& set) const {
  return std::any_of(sets_.begin(), sets_.end(), [&](const Names& names) {
    return std::any_of(names.begin(), names.end(), [&](const Name& name) {
      size_t end = name.text.rfind("::");
      return end != std::string::npos && means(name.text.substr(0, end), set);
    });
  });
}

bool SetAnnotations::isDeclared(const PatternInfo& pattern) const {
  return std::any_of(sets_.begin(), sets_.end(), [&](const Names& names) {
    return std::all_of(
        std::begin(pattern.members), std::end(pattern.members), [&](const std::string& member) {
          std::string full = memberName(pattern.set, member, pattern.globals);
          return std::any_of(names.begin(), names.end(),
                             [&](const Name& name) { return means(name.text, full); });
        });
  });
}

bool SetAnnotations::apply(Candidate& candidate, const SiteCatalog& sites) const {
  PatternInfo& pattern = candidate.pattern;
  for (const Name& name : notInSets_)
    for (const std::string& member : pattern.members)
      if (means(name.text, pattern.set) ||
          means(name.text, memberName(pattern.set, member, pattern.globals)))
        return false;
  for (size_t unit = candidate.sides.size() - 2; unit < candidate.sides.size(); ++unit) {
    const SiteEntry* entry = sites.find(candidate.sides[unit].site);
    for (const Name& name : notUnits_)
      if (entry && means(name.text, plainName(entry->function)))
        return false;
  }
  pattern.declared = isDeclared(pattern);
  return pattern.declared || !hasDeclaredSet(pattern.set);
}

} // namespace heddle
