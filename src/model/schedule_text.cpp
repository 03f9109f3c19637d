#include "model/schedule_text.h"

#include "model/schedule_words.h"

#include <algorithm>

namespace heddle {
namespace {

using namespace schedule_words;

constexpr uint32_t kLongestRepeat = 16; ///< decisions in a repeated group

std::string base62(uint64_t value) {
  std::string text;
  do {
    text.push_back(kDigits[value % 62]);
    value /= 62;
  } while (value != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

const char* kindPrefix(DecisionKind kind) {
  switch (kind) {
  case DecisionKind::Switch:
    return "";
  case DecisionKind::Wake:
    return "w";
  case DecisionKind::Timeout:
    return "t";
  case DecisionKind::Spurious:
    return "s";
  case DecisionKind::Hang:
    return "h";
  case DecisionKind::Defer: // never recorded
    break;
  }
  return "";
}

/// Writes decisions. Occurrences are relative to the previous one of the same thread and site,
/// so that a loop gives equal tokens, which the repeat groups then fold.
class Printer {
public:
  explicit Printer(const ThreadNames& names) : names_(names) {}

  std::string print(const std::vector<Decision>& decisions) {
    tokens_.reserve(decisions.size());
    for (const Decision& decision : decisions)
      tokens_.push_back(numberOf(token(decision)));
    return fold();
  }

private:
  std::string token(const Decision& decision) {
    std::string text = kindPrefix(decision.kind);
    text += names_.text(decision.thread);
    text += siteText(raw(decision.site));
    text += occurrenceText(decision);
    text += '>';
    text += names_.text(decision.chosen);
    return text;
  }

  std::string siteText(uint64_t identity) {
    auto [entry, isNew] = dictionary_.emplace(identity, dictionary_.size());
    if (isNew)
      return "@" + base62(identity);
    return "$" + std::to_string(entry->second);
  }

  std::string occurrenceText(const Decision& decision) {
    uint32_t& last = occurrences_[{raw(decision.thread), raw(decision.site)}];
    uint32_t previous = last;
    last = decision.occurrence;
    if (decision.occurrence == previous + 1 && previous != 0)
      return "";
    if (previous == 0 || decision.occurrence <= previous)
      return "#" + std::to_string(decision.occurrence);
    return "+" + std::to_string(decision.occurrence - previous);
  }

  /// Schedules of long runs have hundreds of thousands of tokens, most of them equal to others.
  uint32_t numberOf(std::string token) {
    auto [entry, isNew] = numbers_.emplace(std::move(token), texts_.size());
    if (isNew)
      texts_.push_back(&entry->first);
    return entry->second;
  }

  size_t repeats(size_t from, size_t period) const {
    size_t count = 1;
    while (from + (count + 1) * period <= tokens_.size() &&
           std::equal(tokens_.begin() + from, tokens_.begin() + from + period,
                      tokens_.begin() + from + count * period))
      ++count;
    return count;
  }

  std::string join(size_t from, size_t count) const {
    std::string text;
    for (size_t i = from; i < from + count; ++i)
      text += (i == from ? "" : ",") + *texts_[tokens_[i]];
    return text;
  }

  std::string fold() const {
    std::string text;
    for (size_t at = 0; at < tokens_.size();) {
      size_t period = 1, count = 1;
      for (size_t p = 1; p <= kLongestRepeat; ++p)
        if (size_t c = repeats(at, p); c > 1 && c * p > count * period) {
          period = p;
          count = c;
        }
      text += text.empty() ? "" : ",";
      if (count > 1)
        text += "[" + join(at, period) + "]*" + std::to_string(count);
      else
        text += *texts_[tokens_[at]];
      at += period * count;
    }
    return text;
  }

  const ThreadNames& names_;
  std::unordered_map<uint64_t, size_t> dictionary_;
  Occurrences occurrences_;
  std::unordered_map<std::string, uint32_t> numbers_; ///< of the different tokens
  std::vector<const std::string*> texts_;             ///< by number
  std::vector<uint32_t> tokens_;                      ///< numbers, in order
};

const char* pointsWord(PointSet points) {
  switch (points) {
  case PointSet::Sync:
    return "sync";
  case PointSet::Listed:
    return "shared";
  case PointSet::All:
    return "all";
  }
  return "shared";
}

std::string targetWord(const Target& target) {
  if (target.kind == TargetKind::Race)
    return "race";
  if (target.kind == TargetKind::LockCycle)
    return "cycle";
  std::string text = "set/" + std::to_string(target.pattern);
  for (uint32_t number :
       {static_cast<uint32_t>(target.form), target.windowLocks[0], target.windowLocks[1]})
    text += "/" + std::to_string(number);
  if (target.owned)
    text += "/1";
  return text;
}

std::string printTarget(const Target& target) {
  std::string text = targetWord(target) + ":";
  for (uint32_t r = 0; r < target.roleCount; ++r) {
    text += (r == 0 ? "" : "+") + hex(raw(target.roles[r].site));
    if (target.roles[r].caller != SiteIdentity::None)
      text += "/" + hex(raw(target.roles[r].caller));
    if (target.roles[r].context != 0)
      text += "~" + hex(target.roles[r].context);
  }
  return text;
}

std::string printHeader(const Schedule& schedule) {
  std::string text(kVersionTag);
  text += ";points=";
  text += pointsWord(schedule.points);
  if (!schedule.pointsName.empty())
    text += ":" + schedule.pointsName;
  if (schedule.target.kind != TargetKind::None)
    text += ";target=" + printTarget(schedule.target);
  std::string flags = std::string(schedule.timeAny ? "t" : "") + (schedule.spurious ? "s" : "") +
                      (schedule.untilIdle ? "i" : "");
  if (!flags.empty())
    text += ";flags=" + flags;
  if (schedule.maxSteps != 0)
    text += ";steps=" + std::to_string(schedule.maxSteps);
  if (schedule.timeBase != 0)
    text += ";time=" + std::to_string(schedule.timeBase);
  if (schedule.seed != 0)
    text += ";seed=" + std::to_string(schedule.seed);
  if (schedule.windowFirst != 0)
    text += ";window=" + std::to_string(schedule.windowFirst) + "+" +
            std::to_string(schedule.windowLength);
  if (schedule.thinFirst != 0)
    text += ";thin=" + std::to_string(schedule.thinFirst) + "+" +
            std::to_string(schedule.thinLength) + "+" + std::to_string(schedule.thinSeed) +
            (schedule.thinSync != 0 ? "+" + std::to_string(schedule.thinSync) : "");
  if (schedule.digest != 0)
    text += ";digest=" + hex(schedule.digest);
  return text;
}

} // namespace

ThreadNames::ThreadNames() { names_[raw(ThreadPath::Main)] = "0"; }

void ThreadNames::add(ThreadPath parent, uint32_t ordinal) {
  auto found = names_.find(raw(parent));
  if (found == names_.end())
    return;
  std::string prefix = parent == ThreadPath::Main ? "" : found->second + ".";
  names_[raw(childPath(parent, ordinal))] = prefix + std::to_string(ordinal);
}

std::string ThreadNames::text(ThreadPath path) const {
  auto found = names_.find(raw(path));
  return found == names_.end() ? "~" + hex(raw(path)) : found->second;
}

ThreadPath parseThreadPath(std::string_view text) {
  if (text == "0")
    return ThreadPath::Main;
  const char* at = text.data();
  const char* end = at + text.size();
  if (text.starts_with('~')) {
    uint64_t value = 0;
    auto [stop, code] = std::from_chars(at + 1, end, value, 16);
    return code == std::errc() && stop == end ? static_cast<ThreadPath>(value) : ThreadPath::None;
  }
  ThreadPath path = ThreadPath::Main;
  while (at < end) {
    uint32_t ordinal = 0;
    auto [stop, code] = std::from_chars(at, end, ordinal);
    if (code != std::errc() || ordinal == 0 || (stop != end && (*stop != '.' || stop + 1 == end)))
      return ThreadPath::None;
    path = childPath(path, ordinal);
    at = stop == end ? end : stop + 1;
  }
  return text.empty() ? ThreadPath::None : path;
}

std::string printSchedule(const Schedule& schedule, const ThreadNames& names) {
  std::string text = printHeader(schedule) + ";" + Printer(names).print(schedule.decisions);
  return text + "!" + hex(checksum(text));
}

} // namespace heddle
