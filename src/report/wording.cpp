#include "report/wording.h"

#include "model/shell_words.h"
#include "report/paths.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace heddle {

namespace {

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string escaped(char c) {
  char text[8];
  std::snprintf(text, sizeof text, "\\x%02x", static_cast<unsigned char>(c));
  return text;
}

std::string safe(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\t' || !isControl(c))
      result += c;
    else
      result += escaped(c);
  }
  return result;
}

bool isKnown(const Location& location) { return !location.file.empty(); }

} // namespace

const KindWords& kindWords(FindingKind kind) {
  static constexpr KindWords dataRace{
      "data race",
      "Two threads access the same memory at the same time, at least one of them writes, and "
      "nothing orders them.",
      "Guard both accesses with the same mutex, or make the variable atomic."};
  static constexpr KindWords deadlock{
      "deadlock", "Threads wait for each other, and none of them can go on.",
      "Take the locks in the same order everywhere, or take them together with std::scoped_lock."};
  static constexpr KindWords atomicity{
      "atomicity violation",
      "Steps that belong together are interleaved by another thread in a way that no serial order "
      "would give.",
      "Put the steps that belong together into one critical section."};
  static constexpr KindWords assertion{
      "assertion failure", "An assertion fails, or the program aborts, under this interleaving.",
      "Follow the interleaving to the step where the value stopped being what the code relies on."};
  static constexpr KindWords crash{"crash",
                                   "The program ends with a fatal signal under this interleaving.",
                                   "Replay it under a debugger: heddle replay ID -- gdb."};
  static constexpr KindWords exception{
      "uncaught exception", "An exception leaves a thread or main under this interleaving.",
      "Follow the interleaving to the throw, and guard the state that it complains about."};
  static constexpr KindWords memoryError{
      "memory error", "Memory is used after it was freed, or freed twice, under this interleaving.",
      "Make sure that the last user frees it: reference counts, or a join before the free."};
  static constexpr KindWords hang{
      "hang", "Threads keep running but none of them makes progress under this interleaving.",
      "Look at what the spinning threads wait for, and who should have changed it."};
  static constexpr KindWords exitStatus{
      "different exit status",
      "The program ends with a non-zero exit status under this interleaving, and with zero in a "
      "run "
      "without preemption.",
      "Follow the interleaving to where the results of the two runs part."};
  static constexpr KindWords notLinearizable{
      "outcome that is not linearizable",
      "Calls that run at the same time give an outcome that they give in no order one after the "
      "other.",
      "Make each of the calls one step for the others: one lock over all that it looks at and "
      "changes."};
  switch (kind) {
  case FindingKind::DataRace:
    return dataRace;
  case FindingKind::Deadlock:
    return deadlock;
  case FindingKind::AtomicityViolation:
    return atomicity;
  case FindingKind::Assertion:
    return assertion;
  case FindingKind::Crash:
    return crash;
  case FindingKind::Exception:
    return exception;
  case FindingKind::MemoryError:
    return memoryError;
  case FindingKind::Hang:
    return hang;
  case FindingKind::ExitStatus:
    return exitStatus;
  case FindingKind::NotLinearizable:
    return notLinearizable;
  }
  return assertion;
}

const char* statusMeaning(FindingStatus status) {
  switch (status) {
  case FindingStatus::Potential:
    return "an analysis says so; no run has shown it";
  case FindingStatus::Confirmed:
    return "a run did it, and it replayed in a fresh process";
  case FindingStatus::Harmful:
    return "a failure follows from it, and not without it";
  }
  return "";
}

namespace {

/// The site, or the call in the user's code that led to it.
std::optional<Location> userPlace(const FindingSite& site) {
  if (isKnown(site.location) && !isLibraryFile(site.location.file))
    return site.location;
  for (const Location& frame : site.stack)
    if (isKnown(frame) && !isLibraryFile(frame.file))
      return frame;
  return std::nullopt;
}

} // namespace

Location primaryLocation(const Finding& finding) {
  // What has to be mended: of a race its accesses, whatever fails in the end.
  bool race =
      (finding.kind == FindingKind::DataRace || finding.kind == FindingKind::AtomicityViolation) &&
      !finding.sites.empty();
  if (!race && finding.failure && finding.failure->site && isKnown(finding.failure->site->location))
    return userPlace(*finding.failure->site).value_or(finding.failure->site->location);
  for (const FindingSite& site : finding.sites)
    if (auto place = userPlace(site))
      return *place;
  for (const FindingSite& site : finding.sites)
    if (isKnown(site.location))
      return site.location;
  for (const ThreadInfo& thread : finding.threads)
    if (thread.state.rfind("blocked", 0) == 0)
      for (const Location& frame : thread.stack)
        if (isKnown(frame))
          return frame;
  return {};
}

std::string locationText(const Location& location) {
  std::string text = location.file;
  if (text.empty() || location.line == 0)
    return text;
  text += ":" + std::to_string(location.line);
  if (location.column != 0)
    text += ":" + std::to_string(location.column);
  return text;
}

std::string threadText(unsigned thread) {
  return thread == 0 ? "main thread" : "thread T" + std::to_string(thread);
}

std::string accessText(const FindingSite& site) {
  if (!site.role.empty())
    return "Memory " + site.role;
  const std::string size = site.size ? " of size " + std::to_string(site.size) : "";
  const auto with = [&](const char* word, const char* preposition) {
    return word + (site.object.empty() ? "" : preposition + site.object);
  };
  if (site.access == "read")
    return with(("Read" + size).c_str(), " of ");
  if (site.access == "write")
    return with(("Write" + size).c_str(), " to ");
  if (site.access == "free") // frees all of the block, of which the object is a part
    return with("Free", " of the memory of ");
  if (site.access == "atomic")
    return with(("Atomic access" + size).c_str(), " to ");
  if (site.access == "lock")
    return with("Lock", " of ");
  if (site.access == "wait")
    return with("Wait", " on ");
  if (site.access == "notify")
    return with("Notification", " of ");
  return with("Call", " on ");
}

std::string oneLine(const std::string& text) {
  std::string line;
  bool wasControl = false;
  for (const char c : text) {
    if (isControl(c)) {
      wasControl = true;
      continue;
    }
    if (wasControl && c != ' ' && !line.empty() && line.back() != ' ')
      line += ' ';
    wasControl = false;
    line += c;
  }
  return line;
}

std::vector<std::string> safeLines(const std::string& text) {
  std::vector<std::string> lines;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(safe(text.substr(start, end - start)));
    start = end + 1;
  }
  return lines;
}

std::string counted(uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string commandLine(const std::vector<std::string>& argv) {
  std::string line;
  for (const std::string& argument : argv)
    line += (line.empty() ? "" : " ") + shellQuoted(argument);
  return line;
}

} // namespace heddle
