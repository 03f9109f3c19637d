#include "report/text_reporter.h"

#include "report/interleaving.h"
#include "report/paths.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <set>

namespace heddle {

namespace {

/// The end of a program's output is nearest to the failure.
constexpr size_t kOutputLines = 50;
constexpr size_t kMaxThreads = 16;
constexpr size_t kMaxRelated = 3;
constexpr size_t kFoldedFrames = 2; ///< in a row, from here on
constexpr unsigned kTableIndent = 4;

class Colours {
public:
  explicit Colours(bool on) : on_(on) {}
  std::string bold(const std::string& text) const { return wrap("\x1b[1m", text); }
  std::string warning(const std::string& text) const { return wrap("\x1b[1;35m", text); }
  std::string summary(const std::string& text) const { return wrap("\x1b[1;31m", text); }
  std::string marker(const std::string& text) const { return wrap("\x1b[1;33m", text); }

private:
  std::string wrap(const char* start, const std::string& text) const {
    return on_ ? start + text + "\x1b[0m" : text;
  }
  bool on_;
};

/// Writes one finding.
class FindingText {
public:
  FindingText(const Report& report, const Finding& finding, std::ostream& out,
              const ReportOptions& options)
      : report_(report), finding_(finding), out_(out), options_(options), colours_(options.colour) {
  }

  void write() {
    writeHeadline();
    if (finding_.status == FindingStatus::Potential && finding_.schedule.empty()) {
      writeStatic(); // no run did it
      return;
    }
    writeStatus();
    writeInterleaving();
    writeFailure();
    writeSites();
    writeThreads();
    writeOutput();
    writeSummary();
  }

private:
  void writeHeadline() {
    std::string place = locationText(primaryLocation(finding_));
    if (place.empty())
      place = report_.program.empty() ? "heddle" : report_.program.front();
    out_ << colours_.bold(place + ":") << " "
         << colours_.warning(isOnlyNote() ? "note:" : "warning:") << " "
         << colours_.bold(oneLine(finding_.message)) << " [heddle-"
         << findingKindName(finding_.kind) << "]\n";
  }

  bool isOnlyNote() const {
    return finding_.status == FindingStatus::Potential || isNote(finding_);
  }

  void writeStatus() {
    if (!finding_.test.empty())
      out_ << "  in test " << oneLine(finding_.test) << "\n";
    out_ << "  " << findingStatusName(finding_.status) << ": " << statusMeaning(finding_.status)
         << (isNote(finding_) ? "; nothing failed, and that these belong together is a guess" : "")
         << "\n";
    if (finding_.run != 0)
      out_ << "  found in run " << finding_.run
           << (finding_.strategy.empty() ? "" : " by strategy " + finding_.strategy) << ", seed "
           << finding_.seed << "\n";
    writeSwitches();
    if (finding_.probability)
      out_ << "  happened in " << std::lround(*finding_.probability * 100)
           << "% of the runs that tried to force it\n";
    for (const std::string& note : finding_.notes)
      out_ << "  note: " << oneLine(note) << "\n";
    writeRelated();
  }

  void writeRelated() {
    const auto& all = finding_.related;
    for (size_t i = 0; i < all.size() && i < kMaxRelated; ++i)
      out_ << "  note: also: " << oneLine(all[i].message) << placesText(all[i]) << "\n";
    if (all.size() > kMaxRelated)
      out_ << "  note: and " << all.size() - kMaxRelated
           << " more of the same bug, which --format=json lists\n";
  }

  /// " (cache.cpp:11, 15, map.h:7)": a file once for the lines in a row that are in it.
  static std::string placesText(const RelatedPattern& related) {
    std::string text;
    std::string file;
    for (const FindingSite& site : related.sites) {
      if (site.location.line == 0)
        continue;
      text += text.empty() ? " (" : ", ";
      if (site.location.file != file)
        text += oneLine(site.location.file) + ":";
      file = site.location.file;
      text += std::to_string(site.location.line);
    }
    return text.empty() ? text : text + ")";
  }

  /// What an analysis of the source knows; of predictions nothing more than the headline.
  void writeStatic() {
    if (!isStatic())
      return;
    for (const std::string& note : finding_.notes)
      out_ << "  note: " << oneLine(note) << "\n";
    writeSites();
    writeThreads();
    writePaths();
    out_ << "\n";
  }

  bool isStatic() const { return finding_.origin == FindingOrigin::Source; }

  void writePaths() {
    if (finding_.paths.size() < 2)
      return; // the sites have shown it
    out_ << "\n  " << finding_.paths.size() << " pairs of paths:\n";
    for (const PathPair& pair : finding_.paths) {
      out_ << "    " << pathText(pair.first) << "\n";
      out_ << "      and " << pathText(pair.second) << "\n";
    }
  }

  /// From the thread's first function to the access.
  std::string pathText(const CallPath& path) const {
    std::string text;
    for (auto frame = path.stack.rbegin(); frame != path.stack.rend(); ++frame)
      if (!isLibraryFile(frame->file) || frame + 1 == path.stack.rend())
        text += (text.empty() ? "" : " > ") + frame->function.substr(0, frame->function.find('(')) +
                (frame->line ? ":" + std::to_string(frame->line) : "");
    for (size_t i = 0; i < path.held.size(); ++i)
      text += (i == 0 ? ", holding " : ", ") + oneLine(path.held[i]);
    return text;
  }

  void writeSwitches() {
    if (!finding_.switches)
      return;
    const SwitchCounts& shown = *finding_.switches;
    out_ << "  this schedule has " << counted(shown.preemptions, "preemption") << " and "
         << shown.switches << (shown.switches == 1 ? " context switch" : " context switches");
    const auto& found = finding_.foundSwitches;
    if (found && (found->preemptions != shown.preemptions || found->switches != shown.switches))
      out_ << "; the run that was found had " << found->preemptions << " and " << found->switches;
    out_ << "\n";
  }

  void writeInterleaving() {
    const unsigned columns =
        options_.width == 0 ? 0 : std::max(options_.width, kTableIndent + 2) - kTableIndent;
    const auto lines = interleavingTable(finding_, options_.maxSteps, columns);
    if (lines.empty())
      return;
    out_ << "\n  Interleaving (>> marks a switch that the default schedule would not make"
         << (marksChoices() ? ", also where a thread could not go on" : "") << "):\n";
    for (const std::string& line : lines) {
      const bool marked = line.rfind(">>", 0) == 0;
      out_ << "    " << (marked ? colours_.marker(">>") + line.substr(2) : line) << "\n";
    }
  }

  /// Whether more switches are marked than there are preemptions.
  bool marksChoices() const {
    const auto marked = std::count_if(finding_.steps.begin(), finding_.steps.end(),
                                      [](const Step& step) { return step.switched; });
    return finding_.switches && static_cast<uint64_t>(marked) > finding_.switches->preemptions;
  }

  void writeFailure() {
    if (!finding_.failure)
      return;
    const FailureInfo& failure = *finding_.failure;
    std::string title = kindWords(failure.kind).title;
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    const std::string by = failure.site ? " in " + threadText(failure.site->thread) : "";
    // The first line has said it already when the failure is the finding.
    const bool said = failure.message == finding_.message;
    // The states of the threads have its stack.
    const bool shownLater = showsStates() && !finding_.threads.empty();
    if (said && shownLater)
      return;
    out_ << "\n  " << title << by << (said ? ":" : ": " + oneLine(failure.message)) << "\n";
    if (failure.site && !shownLater)
      writeFrames(*failure.site);
  }

  void writeSites() {
    // The states of the threads name the same places, with who holds what.
    if (isStuck(finding_.kind) && !finding_.threads.empty())
      return;
    const bool race = finding_.kind == FindingKind::DataRace && !isStatic();
    // Of a race the access that came first follows the one that met it.
    const bool reversed = race && finding_.firstSite == 0u && finding_.sites.size() == 2;
    for (size_t i = 0; i < finding_.sites.size(); ++i) {
      const FindingSite& site = finding_.sites[reversed ? 1 - i : i];
      if (finding_.kind != FindingKind::DataRace && isFailureSite(site))
        continue;
      std::string words = accessText(site);
      if (race && i == 1) {
        words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
        words = "Previous " + words;
      }
      out_ << "\n  " << words << " by " << threadText(site.thread) << ":\n";
      writeFrames(site);
      for (const std::string& lock : site.held)
        out_ << "    holding " << oneLine(lock) << "\n";
    }
  }

  /// A failure's own site was shown with the failure.
  bool isFailureSite(const FindingSite& site) const {
    if (!finding_.failure || !finding_.failure->site)
      return false;
    const FindingSite& shown = *finding_.failure->site;
    return locationText(shown.location) == locationText(site.location) &&
           shown.access == site.access && shown.object == site.object &&
           shown.thread == site.thread;
  }

  void writeFrames(const FindingSite& site) {
    writeStack(site.stack.empty() ? Stack{site.location} : site.stack);
  }

  /// Frames around those of the user's code that only pass a call on are counted; the innermost
  /// one says what the user's code called.
  void writeStack(const Stack& stack) {
    for (size_t i = 0; i < stack.size();) {
      size_t end = i;
      while (end < stack.size() && isLibraryFile(stack[end].file))
        ++end;
      const bool innermost = i == 0;
      if (end - i < kFoldedFrames || (innermost && end == stack.size())) {
        writeFrame(i, stack[i]);
        ++i;
        continue;
      }
      out_ << "    … " << end - i << " frames in libraries"
           << (innermost ? ", innermost " + stack[0].function : "") << "\n";
      i = end;
    }
  }

  /// The stack without the library's frames at its top; all of it when there are no others.
  static Stack fromUserCode(const Stack& stack) {
    const auto first = std::find_if(stack.begin(), stack.end(), [](const Location& frame) {
      return !isLibraryFile(frame.file);
    });
    return first == stack.end() ? stack : Stack(first, stack.end());
  }

  void writeFrame(size_t number, const Location& frame) {
    const std::string place = locationText(frame);
    out_ << "    #" << number << " " << (frame.function.empty() ? "??" : frame.function)
         << (place.empty() ? "" : " " + place) << "\n";
  }

  void writeThreads() {
    const std::set<unsigned> involved = involvedThreads();
    size_t shown = 0;
    size_t left = 0;
    for (const ThreadInfo& thread : finding_.threads) {
      const bool matters = involved.count(thread.index) != 0;
      if (!matters || shown == kMaxThreads) {
        left += matters ? 1 : 0;
        continue;
      }
      ++shown;
      writeThread(thread);
    }
    if (left != 0)
      out_ << "\n  and " << counted(left, "more thread") << "\n";
  }

  /// Threads that stand in a step, a site or the failure, and those that never got to their end.
  std::set<unsigned> involvedThreads() const {
    std::set<unsigned> involved;
    for (const Step& step : finding_.steps)
      involved.insert(step.thread);
    for (const FindingSite& site : finding_.sites)
      involved.insert(site.thread);
    if (finding_.failure && finding_.failure->site)
      involved.insert(finding_.failure->site->thread);
    if (showsStates())
      for (const ThreadInfo& thread : finding_.threads)
        if (thread.state != "finished")
          involved.insert(thread.index);
    return involved;
  }

  /// Where every thread stands is the point of these kinds; for others it is noise.
  bool showsStates() const {
    return isStuck(finding_.kind) || (finding_.failure && isStuck(finding_.failure->kind));
  }
  static bool isStuck(FindingKind kind) {
    return kind == FindingKind::Deadlock || kind == FindingKind::Hang;
  }

  void writeThread(const ThreadInfo& thread) {
    std::string title = threadText(thread.index);
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    if (!thread.name.empty())
      title += " '" + oneLine(thread.name) + "'";
    if (isStatic() && !thread.state.empty())
      title += ", " + oneLine(thread.state) + ",";
    if (showsStates()) {
      const bool isVerb = thread.state == "can run";
      out_ << "\n  " << title << (isVerb ? " " : " is ") << oneLine(thread.state) << "\n";
      writeStack(thread.stack);
      for (const std::string& lock : thread.held)
        out_ << "    holds " << oneLine(lock) << "\n";
    }
    if (thread.createdAt.empty())
      return;
    out_ << "\n  " << title << " created by " << threadText(thread.parent) << " at:\n";
    writeStack(fromUserCode(thread.createdAt));
  }

  void writeOutput() {
    if (!options_.showOutput)
      return;
    const auto lines = safeLines(finding_.output);
    if (lines.empty()) {
      out_ << "\n  The program wrote nothing in this run.\n";
      return;
    }
    const size_t first = lines.size() > kOutputLines ? lines.size() - kOutputLines : 0;
    out_ << "\n  The program's output in this run:\n";
    if (first != 0)
      out_ << "    ... " << counted(first, "line") << " before ...\n";
    for (size_t i = first; i < lines.size(); ++i)
      out_ << "    | " << lines[i] << "\n";
  }

  void writeSummary() {
    const Location location = primaryLocation(finding_);
    const std::string place = locationText(location);
    out_ << "\n"
         << colours_.summary("SUMMARY: heddle: " + std::string(kindWords(finding_.kind).title))
         << " (" << findingStatusName(finding_.status) << ")" << (place.empty() ? "" : " " + place)
         << (location.function.empty() ? "" : " in " + location.function)
         << (finding_.test.empty() ? "" : ", in test " + oneLine(finding_.test)) << "\n";
    if (!finding_.replay.empty())
      out_ << "replay: " << finding_.replay << "\n";
    out_ << "\n";
  }

  const Report& report_;
  const Finding& finding_;
  std::ostream& out_;
  const ReportOptions& options_;
  Colours colours_;
};

constexpr size_t kNameColumn = 16;

/// Id, kind, status and place.
std::string briefLine(const Finding& finding) {
  char columns[80];
  std::snprintf(columns, sizeof columns, "%-20s %-10s ", findingKindName(finding.kind),
                findingStatusName(finding.status));
  const Location location = primaryLocation(finding);
  const std::string place = locationText(location);
  std::string name = oneLine(finding.name.empty() ? finding.id : finding.name);
  name.resize(std::max(name.size(), kNameColumn), ' ');
  return name + " " + columns + (place.empty() ? oneLine(finding.message) : place) +
         (location.function.empty() ? "" : " in " + location.function) +
         (finding.test.empty() ? "" : ", in test " + oneLine(finding.test));
}

/// A command that only shows what others have found.
bool ranNothing(const Report& report) { return report.runs == 0 && report.seconds == 0; }

/// A command that was asked to explain something, and not for findings.
bool onlyExplains(const Report& report) {
  const auto* analyzed = std::get_if<AnalyzeSummary>(&report.facts);
  return analyzed && analyzed->explained;
}

std::string spentText(const Report& report) {
  if (ranNothing(report))
    return "";
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", report.seconds);
  if (onlyExplains(report))
    return std::string(" in ") + seconds + " s";
  std::string cut = report.cutRuns == 0 ? "" : ", " + std::to_string(report.cutRuns) + " cut short";
  return " in " + counted(report.runs, "run") + cut + ", " + seconds + " s";
}

bool noRunEnded(const Report& report) {
  return report.cutRuns != 0 && report.cutRuns >= report.runs;
}

std::string foundText(const Report& report) {
  const std::vector<Finding>& findings = report.findings;
  if (findings.empty() && onlyExplains(report))
    return "explained";
  if (findings.empty() && report.interrupted)
    return "interrupted, nothing found so far";
  if (findings.empty() && !report.lost.empty() && noRunEnded(report))
    return "no run came to its end";
  if (findings.empty() && !report.lost.empty())
    return report.diverged ? "the schedule does not fit" : "lost control of the program";
  if (findings.empty())
    return ranNothing(report) ? "no findings are stored" : "nothing found";
  std::string parts;
  for (const auto status :
       {FindingStatus::Harmful, FindingStatus::Confirmed, FindingStatus::Potential}) {
    const auto count = std::count_if(findings.begin(), findings.end(),
                                     [&](const Finding& f) { return f.status == status; });
    if (count != 0)
      parts +=
          (parts.empty() ? "" : ", ") + std::to_string(count) + " " + findingStatusName(status);
  }
  return counted(findings.size(), "finding") + " (" + parts + ")";
}

std::string joined(const std::vector<std::string>& parts, size_t limit) {
  std::string text;
  for (size_t i = 0; i < parts.size() && i < limit; ++i)
    text += (text.empty() ? "" : ", ") + oneLine(parts[i]);
  if (parts.size() > limit)
    text += " and " + std::to_string(parts.size() - limit) + " more";
  return text;
}

} // namespace

void TextReporter::write(const Report& report, std::ostream& out, const ReportOptions& options) {
  for (const std::string& warning : report.warnings)
    out << "heddle: warning: " << oneLine(warning) << "\n";
  if (!report.warnings.empty())
    out << "\n";
  std::string group;
  for (const Finding& stored : report.findings) {
    const Finding finding = withRelativePaths(stored, options.sourceRoot);
    if (finding.group != group) {
      group = finding.group;
      const auto members = std::count_if(report.findings.begin(), report.findings.end(),
                                         [&](const Finding& f) { return f.group == group; });
      if (!group.empty() && !report.brief)
        out << "== " << oneLine(group) << ": " << counted(members, "finding") << "\n";
    }
    if (report.brief)
      out << briefLine(finding) << "\n";
    else
      FindingText(report, finding, out, options).write();
  }
  for (const std::string& line : report.summary)
    out << oneLine(line) << "\n";
  out << "heddle " << report.command
      << (report.program.empty() ? "" : " " + commandLine(report.program)) << ": "
      << foundText(report) << spentText(report) << "\n";
  if (!report.notSeen.empty())
    out << "not seen: " << joined(report.notSeen, 5) << "\n";
}

} // namespace heddle
