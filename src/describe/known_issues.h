#pragma once

#include "model/finding.h"

#include <span>
#include <string>

namespace heddle {

/// Something about a library that is known to everybody but the user of it.
struct KnownIssue {
  enum class Kind {
    Defect, ///< the library does what it must not do; who uses it has the failure
    Benign, ///< a race that harms nobody: all threads write the same
  };
  Kind kind = Kind::Defect;
  FindingKind finding = FindingKind::Deadlock; ///< what it shows as
  const char* function = "";                   ///< beginning of the name of the library's function
  const char* file = "";                       ///< part of the path of its header
  const char* text = "";
  const char* reference = "";
};

/// The list that is shipped.
std::span<const KnownIssue> knownIssues();

/// The issue that a finding shows: a deadlock in which a thread waits inside such a function, or a
/// race whose accesses are both made by one. Null: none.
const KnownIssue* knownIssueOf(const Finding& finding);

/// "known defect of this library version: ... (https://...)"
std::string knownIssueText(const KnownIssue& issue);

} // namespace heddle
