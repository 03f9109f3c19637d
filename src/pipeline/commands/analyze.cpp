#include "pipeline/commands/analyze.h"

#include "control/interrupt.h"
#include "control/memory_limit.h"
#include "model/site_catalog.h"
#include "pipeline/runs/suppressions.h"
#include "static/analysis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

namespace heddle {
namespace {

using analysis::AnalysisReport;

// Points from which on a race is likely: both accesses stand in the program's own code, and there
// is one such place, or a lock that one side holds and the other does not (docs/static.md).
constexpr int kLikely = 6;

/// What a reader takes for one race: two lines of the source, and what the memory is called.
using Lines = std::tuple<std::string, unsigned, std::string, unsigned, std::string>;

Lines linesOf(const Finding& finding) {
  std::pair one(finding.sites[0].location.file, finding.sites[0].location.line);
  std::pair other(finding.sites[1].location.file, finding.sites[1].location.line);
  if (other < one)
    std::swap(one, other);
  return {one.first, one.second, other.first, other.second, finding.group};
}

struct Findings {
  std::vector<Finding> all;
  std::vector<bool> likely; ///< of each
};

/// Finds out which races are one finding: those of one id, and those of the same two lines.
class Distinct {
public:
  /// The number of the finding that the race belongs to, `next` for a new one.
  size_t add(const Finding& finding, size_t next) {
    auto id = ids_.try_emplace(finding.id, next).first;
    bool located = finding.sites[0].location.line && finding.sites[1].location.line;
    if (id->second == next && located)
      id->second = lines_.try_emplace(linesOf(finding), next).first->second;
    return id->second;
  }

private:
  std::map<std::string, size_t> ids_;
  std::map<Lines, size_t> lines_;
};

Findings distinctFindings(AnalysisReport& report, Suppressions& suppressions) {
  Findings findings;
  Distinct distinct;
  std::vector<size_t> pairs;
  std::vector<bool> suppressed;
  for (analysis::StaticRace& race : report.races) {
    size_t index = distinct.add(race.finding, pairs.size());
    if (index == pairs.size()) {
      suppressed.push_back(suppressions.suppress(race.finding));
      findings.all.push_back(std::move(race.finding));
      findings.likely.push_back(race.score >= kLikely);
      pairs.push_back(1);
      continue;
    }
    Finding& first = findings.all[index];
    first.candidates.insert(first.candidates.end(), race.finding.candidates.begin(),
                            race.finding.candidates.end());
    findings.likely[index] = findings.likely[index] || race.score >= kLikely;
    ++pairs[index];
  }
  for (size_t i = pairs.size(); i-- > 0;) {
    if (pairs[i] > 1)
      findings.all[i].notes.push_back(fmt::format("{} more {} of accesses on these lines",
                                                  pairs[i] - 1, pairs[i] == 2 ? "pair" : "pairs"));
    if (suppressed[i]) {
      findings.all.erase(findings.all.begin() + static_cast<ptrdiff_t>(i));
      findings.likely.erase(findings.likely.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  return findings;
}

/// Leaves those that are likely, and not more than were asked for. Where none is likely the others
/// are shown.
void choose(Findings& findings, const AnalyzeRequest& request, Report& report) {
  auto likely =
      static_cast<size_t>(std::count(findings.likely.begin(), findings.likely.end(), true));
  size_t others = findings.all.size() - likely;
  bool onlyLikely = !request.all && likely > 0;
  for (size_t i = 0; i < findings.all.size(); ++i)
    if (findings.likely[i] || !onlyLikely)
      report.findings.push_back(std::move(findings.all[i]));
  size_t most = request.all ? report.findings.size() : request.limit;
  size_t leftOut = report.findings.size() - std::min(report.findings.size(), most);
  report.findings.resize(report.findings.size() - leftOut);
  if (leftOut)
    report.summary.push_back(fmt::format("not shown: {} more, by --limit={}", leftOut, most));
  if (onlyLikely && others)
    report.summary.push_back(fmt::format("not shown: {} less likely {}, which --all lists", others,
                                         others == 1 ? "finding" : "findings"));
  if (!likely && others)
    report.summary.push_back("none of these is likely: see docs/static.md, Ranking");
}

std::vector<ExplainedAccess>
explainedAccesses(const std::vector<analysis::AccessExplanation>& explanations) {
  std::vector<ExplainedAccess> all;
  for (const auto& explanation : explanations) {
    ExplainedAccess access{
        explanation.location, explanation.access, explanation.object, explanation.alone, {}};
    for (const auto& pair : explanation.pairs)
      access.pairs.push_back(
          {pair.other, pair.access, analysis::stageName(pair.stage), pair.reason});
    all.push_back(std::move(access));
  }
  return all;
}

std::string baseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void explain(const AnalyzeRequest& request, const AnalysisReport& result, Report& report) {
  report.findings.clear(); // they were not asked for
  report.factsAs<AnalyzeSummary>().explained = explainedAccesses(result.explanations);
  if (result.explanations.empty())
    report.summary.push_back(request.explain + ": no access to memory that could be shared");
  for (const auto& explanation : result.explanations) {
    report.summary.push_back(fmt::format("{}:{}: {} {} in {}", baseName(explanation.location.file),
                                         explanation.location.line, explanation.access,
                                         explanation.object, explanation.location.function));
    if (!explanation.alone.empty())
      report.summary.push_back("  not in a race: " + explanation.alone);
    for (const auto& pair : explanation.pairs)
      report.summary.push_back(
          fmt::format("  with {} at {}:{} in {}: {}, {}", pair.access, baseName(pair.other.file),
                      pair.other.line, pair.other.function,
                      pair.stage == analysis::Stage::Race
                          ? "a race"
                          : fmt::format("removed by '{}'", analysis::stageName(pair.stage)),
                      pair.reason));
  }
}

/// "bank.cpp:12" in its parts.
Status readPlace(const std::string& text, analysis::AnalysisOptions& options) {
  if (text.empty())
    return Success{};
  size_t colon = text.rfind(':');
  std::string line = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (colon == 0 || line.empty() || line.find_first_not_of("0123456789") != std::string::npos)
    return Error{fmt::format("--explain takes FILE:LINE, and not '{}'", text), ErrorKind::Usage};
  options.explainFile = text.substr(0, colon);
  options.explainLine = static_cast<unsigned>(std::stoul(line));
  return Success{};
}

void summarize(const AnalysisReport& result, Report& report) {
  const StageCounts& stages = result.stages;
  report.summary.push_back(fmt::format(
      "analysis: {} units, {} functions, {} instructions; {} functions in context (depth {}), {} "
      "kinds of threads",
      result.units, result.functions, result.instructions, result.contexts, result.contextDepth,
      result.threads));
  report.summary.push_back(fmt::format(
      "pairs: {} original, {} reachable, {} aliasing, {} escaping, {} unlocked, {} in parallel, {} "
      "not joined, {} without own slots",
      stages.original, stages.reachable, stages.aliasing, stages.escaping, stages.unlocked,
      stages.parallel, stages.join, stages.slots));
  if (!result.interface.empty())
    report.summary.push_back(
        fmt::format("open program, called by any threads: {}", fmt::join(result.interface, ", ")));
  auto& facts = report.factsAs<AnalyzeSummary>();
  facts.interface = result.interface;
  facts.stages = stages;
  facts.contextDepth = result.contextDepth;
  facts.units = result.units;
  facts.functions = result.functions;
  facts.instructions = result.instructions;
  facts.contexts = result.contexts;
  facts.threads = result.threads;
  for (const analysis::PhaseTime& phase : result.phases)
    facts.phases.emplace_back(phase.name, phase.seconds);
  facts.peakMemory = result.peakMemory;
  facts.unknown = result.unknown;
  report.warnings = result.warnings;
  for (const std::string& name : result.unknown)
    report.notSeen.push_back(demangle(name));
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
  double loading = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  analysis::AnalysisOptions wanted;
  wanted.contextDepth = request.contextDepth;
  if (options.seconds > 0) // loading counts, but something must be left to say what is wrong
    wanted.seconds = std::max(options.seconds - loading, 0.001);
  wanted.memory = memoryLimit() >> 20;
  wanted.mustStop = interrupted;
  wanted.progress = [&](const std::string& what) {
    if (request.progress)
      request.progress({.stage = "analysis: " + what});
  };
  wanted.interface = {request.interfaces, request.interfaceHeaders};
  wanted.annotations = request.annotations;
  wanted.groupByObject = request.groupByObject;
  wanted.everyPath = request.everyPath;
  wanted.accessPairs = request.accessPairs;
  wanted.localSites = request.localSites;
  if (Status status = readPlace(request.explain, wanted); !status)
    return status.error();
  auto result = analysis::analyze(*program, wanted);
  if (!result)
    return result.error();
  result->phases.insert(result->phases.begin(), {"load", loading});
  CommandResult command;
  command.report.command = "analyze";
  command.report.program = request.files;
  Findings findings = distinctFindings(*result, suppressions);
  if (options.format == "text")
    choose(findings, request, command.report);
  else
    command.report.findings = std::move(findings.all);
  if (request.accessPairs)
    command.report.factsAs<AnalyzeSummary>().pairs = result->accessPairs;
  if (request.localSites) {
    command.report.factsAs<AnalyzeSummary>().localSites = result->localSites;
    command.report.summary.push_back(fmt::format(
        "sites that only touch memory of their own thread: {}", result->localSites.size()));
  }
  summarize(*result, command.report);
  if (request.explain.empty())
    reportSuppressions(suppressions.suppressed(), suppressions.unused(), command.report);
  else
    explain(request, *result, command.report);
  command.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return command;
}

} // namespace heddle
