#pragma once

#include "model/finding.h"

#include <string>
#include <vector>

namespace heddle {

/// What a kind of finding is called and means; the same in every format.
struct KindWords {
  const char* title;       ///< "data race"
  const char* description; ///< one sentence: what it is
  const char* advice;      ///< what usually repairs it
};
const KindWords& kindWords(FindingKind kind);

/// What a status promises, in one sentence.
const char* statusMeaning(FindingStatus status);

/// Where a finding is shown, in the user's code if it has a place there: the failure's site if it
/// has one with a file, else the first site that has, else the innermost frame of a blocked thread.
/// Empty when nothing is known.
Location primaryLocation(const Finding& finding);

/// "bank.cpp:30:14"; what is not known is left out.
std::string locationText(const Location& location);

/// "T1", and "main thread" for T0.
std::string threadText(unsigned thread);

/// "Write of size 8 to Account::balance_", in TSan's words; "Memory freed".
std::string accessText(const FindingSite& site);

/// Line breaks and control characters replaced, so that it stays one line on a terminal.
std::string oneLine(const std::string& text);

/// The text's lines without control characters other than tabs.
std::vector<std::string> safeLines(const std::string& text);

/// "1 run", "2 runs".
std::string counted(uint64_t number, const std::string& noun);

/// argv as a shell would take it.
std::string commandLine(const std::vector<std::string>& argv);

} // namespace heddle
