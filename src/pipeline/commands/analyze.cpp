#include "pipeline/commands/analyze.h"

#include "control/interrupt.h"
#include "control/memory_limit.h"
#include "model/site_catalog.h"
#include "pipeline/runs/suppressions.h"
#include "static/analysis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <map>
#include <optional>

namespace heddle {
namespace {

using analysis::AnalysisReport;
using analysis::StageCounts;

/// Races of the same two places of the source are one finding.
std::vector<Finding> distinctFindings(AnalysisReport& report, Suppressions& suppressions) {
  std::vector<Finding> findings;
  std::map<std::string, std::optional<size_t>> known; // no value: suppressed
  for (analysis::StaticRace& race : report.races) {
    auto [entry, isNew] = known.try_emplace(race.finding.id);
    if (isNew && !suppressions.suppress(race.finding)) {
      entry->second = findings.size();
      findings.push_back(std::move(race.finding));
    } else if (entry->second) {
      auto& candidates = findings[*entry->second].candidates;
      candidates.insert(candidates.end(), race.finding.candidates.begin(),
                        race.finding.candidates.end());
    }
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
  json["join"] = stages.join;
  json["slots"] = stages.slots;
  return json.dump();
}

/// What the filters behind the locks take away, each of what the last has left.
std::string removedJson(const StageCounts& stages) {
  nlohmann::ordered_json json;
  json["parallel"] = stages.unlocked - stages.parallel;
  json["join"] = stages.parallel - stages.join;
  json["slots"] = stages.join - stages.slots;
  return json.dump();
}

using Json = nlohmann::ordered_json;

std::string sizesJson(const AnalysisReport& result) {
  Json json{{"units", result.units},
            {"functions", result.functions},
            {"instructions", result.instructions},
            {"contexts", result.contexts},
            {"threads", result.threads}};
  return json.dump();
}

std::string phasesJson(const AnalysisReport& result) {
  Json json = Json::object();
  for (const analysis::PhaseTime& phase : result.phases)
    json[phase.name] = phase.seconds;
  return json.dump();
}

Json locationJson(const Location& location) {
  return {{"file", location.file},
          {"line", location.line},
          {"column", location.column},
          {"function", location.function}};
}

Json sideJson(const AccessPairSide& side) {
  Candidate named;
  named.sides = {side.site};
  Json json{{"thread", side.thread}, {"site", candidateName(named)}, {"access", side.access}};
  json.update(locationJson(side.location));
  json["context"] = Json::array();
  for (const Location& frame : side.context)
    json["context"].push_back(locationJson(frame));
  return json;
}

std::string pairsJson(const std::vector<AccessPair>& pairs) {
  Json all = Json::array();
  for (const AccessPair& pair : pairs)
    all.push_back({{"type", accessPairName(pair.kind)},
                   {"object", pair.object},
                   {"disjoint", pair.disjoint},
                   {"first", sideJson(pair.first)},
                   {"second", sideJson(pair.second)}});
  return all.dump();
}

std::string localSitesJson(const std::vector<SiteIdentity>& sites) {
  Json all = Json::array();
  for (SiteIdentity site : sites)
    all.push_back(identityText(site));
  return all.dump();
}

std::string explanationsJson(const std::vector<analysis::AccessExplanation>& explanations) {
  Json all = Json::array();
  for (const auto& explanation : explanations) {
    Json json = locationJson(explanation.location);
    json["access"] = explanation.access;
    json["object"] = explanation.object;
    json["alone"] = explanation.alone;
    json["pairs"] = Json::array();
    for (const auto& pair : explanation.pairs) {
      Json other = locationJson(pair.other);
      other["access"] = pair.access;
      other["stage"] = analysis::stageName(pair.stage);
      other["reason"] = pair.reason;
      json["pairs"].push_back(std::move(other));
    }
    all.push_back(std::move(json));
  }
  return all.dump();
}

std::string baseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void explain(const AnalyzeRequest& request, const AnalysisReport& result, Report& report) {
  report.findings.clear(); // they were not asked for
  report.extra.push_back({"explanations", explanationsJson(result.explanations)});
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
  report.extra.push_back({"interface", nlohmann::json(result.interface).dump()});
  report.extra.push_back({"stages", stagesJson(stages)});
  report.extra.push_back({"removed", removedJson(stages)});
  report.extra.push_back({"context_depth", std::to_string(result.contextDepth)});
  report.extra.push_back({"sizes", sizesJson(result)});
  report.extra.push_back({"phases", phasesJson(result)});
  report.extra.push_back({"peak_memory", std::to_string(result.peakMemory)});
  report.extra.push_back({"unknown", nlohmann::json(result.unknown).dump()});
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
  command.report.findings = distinctFindings(*result, suppressions);
  if (request.accessPairs)
    command.report.extra.push_back({"pairs", pairsJson(result->accessPairs)});
  if (request.localSites) {
    command.report.extra.push_back({"local_sites", localSitesJson(result->localSites)});
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
