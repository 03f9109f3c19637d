#include "pipeline/analyze.h"

#include "pipeline/suppressions.h"
#include "static/analysis.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <set>

namespace heddle {
namespace {

using analysis::AnalysisReport;
using analysis::StageCounts;

/// Races of the same two places of the source are one finding: the first, with how many there are.
std::vector<Finding> distinctFindings(AnalysisReport& report, Suppressions& suppressions) {
  std::vector<Finding> findings;
  std::set<std::string> seen;
  for (analysis::StaticRace& race : report.races) {
    if (seen.insert(race.finding.id).second && !suppressions.suppress(race.finding))
      findings.push_back(std::move(race.finding));
  }
  return findings;
}

std::string stagesJson(const StageCounts& stages) {
  nlohmann::ordered_json json;
  json["original"] = stages.original;
  json["reachable"] = stages.reachable;
  json["aliasing"] = stages.aliasing;
  json["escaping"] = stages.escaping;
  json["unlocked"] = stages.unlocked;
  json["parallel"] = stages.parallel;
  return json.dump();
}

void summarize(const AnalysisReport& result, Report& report) {
  const StageCounts& stages = result.stages;
  report.summary.push_back(fmt::format(
      "analysis: {} units, {} functions, {} instructions; {} functions in context (depth {}), {} "
      "kinds of threads",
      result.units, result.functions, result.instructions, result.contexts, result.contextDepth,
      result.threads));
  report.summary.push_back(fmt::format(
      "pairs: {} original, {} reachable, {} aliasing, {} escaping, {} unlocked, {} in parallel",
      stages.original, stages.reachable, stages.aliasing, stages.escaping, stages.unlocked,
      stages.parallel));
  report.extra.push_back({"stages", stagesJson(stages)});
  report.extra.push_back({"context_depth", std::to_string(result.contextDepth)});
  report.extra.push_back({"unknown", nlohmann::json(result.unknown).dump()});
  report.warnings = result.warnings;
  for (const std::string& name : result.unknown)
    report.notSeen.push_back(name);
}

} // namespace

Result<CommandResult> analyzeFiles(const AnalyzeRequest& request, const Options& options) {
  auto start = std::chrono::steady_clock::now();
  Suppressions suppressions;
  if (!options.suppressions.empty()) {
    auto read = Suppressions::read(options.suppressions);
    if (!read)
      return read.error();
    suppressions = std::move(*read);
  }
  auto program = analysis::loadProgram(request.files);
  if (!program)
    return program.error();
  analysis::AnalysisOptions wanted;
  wanted.contextDepth = request.contextDepth;
  wanted.seconds = options.seconds;
  wanted.progress = [&](const std::string& what) {
    if (request.progress)
      request.progress({.stage = "analysis: " + what});
  };
  auto result = analysis::analyze(*program, wanted);
  if (!result)
    return result.error();
  CommandResult command;
  command.report.command = "analyze";
  command.report.program = request.files;
  command.report.findings = distinctFindings(*result, suppressions);
  summarize(*result, command.report);
  command.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  command.exitCode = exitCodeOf(command, options);
  return command;
}

} // namespace heddle
