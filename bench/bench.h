#pragma once

#include "control/session.h"

#include <string>
#include <vector>

/// What the measurements share: making sessions, timing, tables and verdicts. Every measurement
/// is a command of heddle-bench, prints a table with its ratios, and fails when a limit is missed.
namespace heddle::bench {

double wallSeconds();
/// CPU time of ended children of this process, user and system.
double childSeconds();
/// Largest resident set of any ended child, bytes.
uint64_t childPeakBytes();

/// A session for a program of the bench; ends the process with a message when that fails.
Session openSession(const std::vector<std::string>& arguments, Isolation isolation);
/// Runs the plan or ends the process with a message. All runs must finish with status 0.
BatchReport runPlan(Session& session, const PlanRequest& request, const EventSink& sink = nullptr);
PlanRequest makePlan(StrategyKind strategy, Isolation isolation, uint64_t runs);

double median(std::vector<double> values);
/// Prints the verdict for a limit; returns whether it holds.
bool verdict(const std::string& what, double value, const char* relation, double limit);

int measureThroughput(const std::vector<std::string>& arguments);
int measureDecisions(const std::vector<std::string>& arguments);
int measureRecording(const std::vector<std::string>& arguments);
int measureForcing(const std::vector<std::string>& arguments);
int measureLimits(const std::vector<std::string>& arguments);
int measureLocalSites(const std::vector<std::string>& arguments);

} // namespace heddle::bench
