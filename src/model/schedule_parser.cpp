#include "model/schedule_text.h"

#include "model/schedule_words.h"

#include <algorithm>

namespace heddle {
namespace {

using namespace schedule_words;

/// A decision as written, before its occurrence is known.
struct Token {
  Decision decision;
  enum class Form { Next, Absolute, Relative } form = Form::Next;
};

/// Recursive-descent parser; every error names the position in the text, counted from 1.
class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Schedule> parse() {
    if (!parseTag() || !checkSum() || !parseFields() || !parseDecisions())
      return Error{"schedule: " + error_, ErrorKind::Usage};
    return std::move(schedule_);
  }

private:
  bool fail(const std::string& what) {
    error_ = "position " + std::to_string(at_ + 1) + ": " + what;
    return false;
  }

  bool atEnd() const { return at_ >= text_.size(); }
  char peek() const { return atEnd() ? '\0' : text_[at_]; }
  bool accept(char c) {
    if (peek() != c || atEnd())
      return false;
    ++at_;
    return true;
  }

  bool parseTag() {
    if (text_.starts_with(kVersionTag) &&
        (text_.size() == kVersionTag.size() || text_[kVersionTag.size()] == ';')) {
      at_ = kVersionTag.size();
      return true;
    }
    if (!text_.starts_with(kTagStem))
      return fail("expected 'heddle-1;'");
    return fail("this schedule has another version than the one that this heddle reads (1)");
  }

  bool checkSum() {
    size_t mark = text_.rfind('!');
    if (mark == std::string_view::npos)
      return true;
    std::string_view stated = text_.substr(mark + 1);
    std::string_view body = text_.substr(0, mark);
    if (stated != hex(checksum(body))) {
      at_ = mark;
      return fail("the checksum does not fit: part of the text is missing or was changed "
                  "(remove '!" +
                  std::string(stated) + "' to replay an edited schedule)");
    }
    text_ = body;
    return true;
  }

  bool number(uint64_t& value, uint64_t limit, int base = 10) {
    const char* begin = text_.data() + at_;
    auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value, base);
    if (code == std::errc::result_out_of_range || (code == std::errc() && value > limit))
      return fail("the number is too large");
    if (code != std::errc())
      return fail(base == 10 ? "expected a number" : "expected a hexadecimal number");
    at_ += static_cast<size_t>(end - begin);
    return true;
  }

  std::string_view takeUntil(std::string_view stops) {
    size_t end = text_.find_first_of(stops, at_);
    if (end == std::string_view::npos)
      end = text_.size();
    std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  /// Header fields end where the next part holds no '=': that part is the list of decisions.
  bool parseFields() {
    while (accept(';')) {
      std::string_view rest = text_.substr(at_);
      size_t end = std::min(rest.find(';'), rest.size());
      size_t equals = rest.find('=');
      if (equals >= end)
        return true;
      std::string_view key = takeUntil("=");
      ++at_;
      if (!parseField(key))
        return false;
      if (!atEnd() && peek() != ';')
        return fail("expected ';' after the value of '" + std::string(key) + "'");
    }
    return true;
  }

  bool parseField(std::string_view key) {
    if (key == "points")
      return parsePoints();
    if (key == "target")
      return parseTarget();
    if (key == "flags")
      return parseFlags();
    if (key == "steps")
      return number(schedule_.maxSteps, UINT64_MAX);
    if (key == "time")
      return number(schedule_.timeBase, UINT64_MAX);
    if (key == "seed")
      return number(schedule_.seed, UINT64_MAX);
    if (key == "window")
      return parseWindow();
    if (key == "thin")
      return parseThinning();
    if (key == "digest")
      return number(schedule_.digest, UINT64_MAX, 16);
    return fail("unknown field '" + std::string(key) +
                "' (known: points, target, flags, steps, time, seed, window, thin, digest)");
  }

  bool parseWindow() {
    if (!number(schedule_.windowFirst, UINT64_MAX))
      return false;
    if (!accept('+'))
      return fail("expected '+' and the length of the window");
    return number(schedule_.windowLength, UINT64_MAX);
  }

  bool parseThinning() {
    for (uint64_t* part : {&schedule_.thinFirst, &schedule_.thinLength, &schedule_.thinSeed}) {
      if (part != &schedule_.thinFirst && !accept('+'))
        return fail("expected '+': the value of 'thin' has three numbers, or four");
      if (!number(*part, UINT64_MAX))
        return false;
    }
    return !accept('+') || number(schedule_.thinSync, UINT64_MAX);
  }

  bool parsePoints() {
    std::string_view word = takeUntil(":;");
    if (word == "sync")
      schedule_.points = PointSet::Sync;
    else if (word == "shared")
      schedule_.points = PointSet::Listed;
    else if (word == "all")
      schedule_.points = PointSet::All;
    else
      return fail("expected sync, shared or all as value of 'points'");
    if (accept(':'))
      schedule_.pointsName = takeUntil(";");
    return true;
  }

  bool parseTarget() {
    std::string_view word = takeUntil(":;/");
    if (word == "race")
      schedule_.target.kind = TargetKind::Race;
    else if (word == "cycle")
      schedule_.target.kind = TargetKind::LockCycle;
    else if (word == "set")
      schedule_.target.kind = TargetKind::AtomicSet;
    else
      return fail("expected race, cycle or set as value of 'target'");
    if (word == "set" && !parsePattern())
      return false;
    if (!accept(':'))
      return fail("expected ':' and the sites of the target");
    do {
      if (schedule_.target.roleCount == kMaxRoles)
        return fail("a target has at most " + std::to_string(kMaxRoles) + " sites");
      if (!parseRole(schedule_.target.roles[schedule_.target.roleCount++]))
        return false;
    } while (accept('+'));
    return word != "set" || hasPatternRoles();
  }

  /// Number of the pattern, its form, the locks of the two windows; 1 for memory that objects own.
  bool parsePattern() {
    Target& target = schedule_.target;
    uint64_t pattern = 0;
    uint64_t form = 0;
    uint64_t locks[2] = {};
    uint64_t owned = 0;
    bool complete = accept('/') && number(pattern, kPatternCount) && accept('/') &&
                    number(form, static_cast<uint64_t>(PatternForm::Together)) && accept('/') &&
                    number(locks[0], UINT32_MAX) && accept('/') && number(locks[1], UINT32_MAX);
    complete = complete && (!accept('/') || number(owned, 1));
    if (!complete || pattern == 0)
      return fail("expected a pattern from 1 to 11, its form and its locks after 'set/'");
    target.pattern = static_cast<uint32_t>(pattern);
    target.form = static_cast<PatternForm>(form);
    target.windowLocks[0] = static_cast<uint32_t>(locks[0]);
    target.windowLocks[1] = static_cast<uint32_t>(locks[1]);
    target.owned = static_cast<uint32_t>(owned);
    return true;
  }

  bool hasPatternRoles() {
    uint32_t wanted = patternOf(schedule_.target).stepCount + 2;
    return schedule_.target.roleCount == wanted ||
           fail("expected " + std::to_string(wanted) + " sites of the pattern");
  }

  bool parseRole(TargetRole& role) {
    uint64_t site = 0;
    uint64_t caller = 0;
    uint64_t context = 0;
    if (!number(site, UINT64_MAX, 16) || (accept('/') && !number(caller, UINT64_MAX, 16)) ||
        (accept('~') && !number(context, UINT64_MAX, 16)))
      return false;
    role = {static_cast<SiteIdentity>(site), static_cast<SiteIdentity>(caller), context};
    return true;
  }

  bool parseFlags() {
    for (; !atEnd() && peek() != ';'; ++at_) {
      if (peek() == 't')
        schedule_.timeAny = true;
      else if (peek() == 's')
        schedule_.spurious = true;
      else if (peek() == 'i')
        schedule_.untilIdle = true;
      else
        return fail("unknown flag (known: t any time, s spurious wake-ups, i until idle)");
    }
    return true;
  }

  bool parseDecisions() {
    if (atEnd())
      return true;
    do {
      if (peek() == '[') {
        if (!parseGroup())
          return false;
        continue;
      }
      Token token;
      if (!parseToken(token) || !append(token))
        return false;
    } while (accept(','));
    return atEnd() || fail("expected ',' or the end of the schedule");
  }

  bool parseGroup() {
    accept('[');
    std::vector<Token> group;
    do {
      if (!parseToken(group.emplace_back()))
        return false;
    } while (accept(','));
    if (!accept(']'))
      return fail("expected ']' at the end of a repeated group");
    if (!accept('*'))
      return fail("expected '*' and how often the group is repeated");
    uint64_t count = 0;
    if (!number(count, kMaxTextDecisions))
      return false;
    for (uint64_t i = 0; i < count; ++i)
      for (const Token& token : group)
        if (!append(token))
          return false;
    return true;
  }

  bool append(const Token& token) {
    if (schedule_.decisions.size() >= kMaxTextDecisions)
      return fail("too many decisions (at most " + std::to_string(kMaxTextDecisions) + ")");
    Decision decision = token.decision;
    uint32_t& last = occurrences_[{raw(decision.thread), raw(decision.site)}];
    uint64_t next = decision.occurrence;
    if (token.form != Token::Form::Absolute)
      next += last;
    if (next == 0 || next > UINT32_MAX)
      return fail("the occurrence is out of range");
    decision.occurrence = last = static_cast<uint32_t>(next);
    schedule_.decisions.push_back(decision);
    return true;
  }

  bool parseToken(Token& token) {
    token.decision.kind = parseKind();
    if (!parseThread(token.decision.thread) || !parseSite(token.decision.site) ||
        !parseOccurrence(token))
      return false;
    if (!accept('>'))
      return fail("expected '>' and the thread that runs next");
    return parseThread(token.decision.chosen);
  }

  DecisionKind parseKind() {
    if (accept('w'))
      return DecisionKind::Wake;
    if (accept('t'))
      return DecisionKind::Timeout;
    if (accept('s'))
      return DecisionKind::Spurious;
    if (accept('h'))
      return DecisionKind::Hang;
    return DecisionKind::Switch;
  }

  bool parseThread(ThreadPath& path) {
    size_t begin = at_;
    std::string_view word = takeUntil("@$#+>,]*;");
    path = parseThreadPath(word);
    if (path != ThreadPath::None)
      return true;
    at_ = begin;
    return fail("expected a thread such as 0 or 2.1");
  }

  bool parseSite(SiteIdentity& site) {
    if (accept('@'))
      return parseNewSite(site);
    if (!accept('$'))
      return fail("expected '@' or '$' and a site after the thread");
    uint64_t index = 0;
    if (!number(index, UINT64_MAX))
      return false;
    if (index >= dictionary_.size())
      return fail("site $" + std::to_string(index) + " was not introduced with '@' before");
    site = static_cast<SiteIdentity>(dictionary_[index]);
    return true;
  }

  bool parseNewSite(SiteIdentity& site) {
    uint64_t value = 0;
    size_t begin = at_;
    for (; !atEnd(); ++at_) {
      size_t digit = kDigits.find(peek());
      if (digit == std::string_view::npos)
        break;
      if (value > (UINT64_MAX - digit) / 62)
        return fail("the site identity is too large");
      value = value * 62 + digit;
    }
    if (at_ == begin)
      return fail("expected a site identity after '@'");
    dictionary_.push_back(value);
    site = static_cast<SiteIdentity>(value);
    return true;
  }

  bool parseOccurrence(Token& token) {
    token.decision.occurrence = 1;
    token.form = Token::Form::Next;
    if (accept('#'))
      token.form = Token::Form::Absolute;
    else if (accept('+'))
      token.form = Token::Form::Relative;
    else
      return true;
    uint64_t value = 0;
    if (!number(value, UINT32_MAX))
      return false;
    token.decision.occurrence = static_cast<uint32_t>(value);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
  Schedule schedule_;
  std::vector<uint64_t> dictionary_;
  Occurrences occurrences_;
};

} // namespace

Result<Schedule> parseSchedule(std::string_view text) {
  while (!text.empty() && isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  while (!text.empty() && isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  return Parser(text).parse();
}

bool looksLikeSchedule(std::string_view text) { return text.starts_with(kTagStem); }

} // namespace heddle
