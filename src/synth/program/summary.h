#pragma once

#include "model/summary.h"
#include "synth/program/checking.h"
#include "synth/program/test_generation.h"

#include <string>
#include <utility>
#include <vector>

namespace heddle::synth {

/// What was seen, what was written and what was not, for people.
std::string summaryText(const GeneratedTests& tests, const std::string& folder);

/// The same for reporters.
SynthSummary summaryOf(const GeneratedTests& tests, const std::string& folder);

/// What the checks showed, for people and for reporters.
std::string checkText(const CheckedTests& checked);
SynthChecks checksOf(const CheckedTests& checked);

/// Why pairs have no test, and how many have none for that reason; the most frequent first.
std::vector<std::pair<std::string, size_t>> reasonsOf(const Synthesis& synthesis);

} // namespace heddle::synth
