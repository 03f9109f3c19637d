#include "report/summary_json.h"

#include <nlohmann/json.hpp>

namespace heddle {

using Json = nlohmann::ordered_json;

namespace {

Json locationJson(const Location& location) {
  return {{"file", location.file},
          {"line", location.line},
          {"column", location.column},
          {"function", location.function}};
}

Json unseenJson(const std::vector<UnseenModule>& modules) {
  Json json = Json::array();
  for (const UnseenModule& module : modules)
    json.push_back({{"module", module.module}, {"functions", module.functions}});
  return json;
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

Json pairsJson(const std::vector<AccessPair>& pairs) {
  Json all = Json::array();
  for (const AccessPair& pair : pairs)
    all.push_back({{"type", accessPairName(pair.kind)},
                   {"object", pair.object},
                   {"disjoint", pair.disjoint},
                   {"first", sideJson(pair.first)},
                   {"second", sideJson(pair.second)}});
  return all;
}

Json localSitesJson(const std::vector<SiteIdentity>& sites) {
  Json all = Json::array();
  for (SiteIdentity site : sites)
    all.push_back(identityText(site));
  return all;
}

Json explanationsJson(const std::vector<ExplainedAccess>& explained) {
  Json all = Json::array();
  for (const ExplainedAccess& access : explained) {
    Json json = locationJson(access.location);
    json["access"] = access.access;
    json["object"] = access.object;
    json["alone"] = access.alone;
    json["pairs"] = Json::array();
    for (const ExplainedPair& pair : access.pairs) {
      Json other = locationJson(pair.other);
      other["access"] = pair.access;
      other["stage"] = pair.stage;
      other["reason"] = pair.reason;
      json["pairs"].push_back(std::move(other));
    }
    all.push_back(std::move(json));
  }
  return all;
}

Json siteJson(const SiteEntry& site) {
  return {{"identity", identityText(site.identity)},
          {"kind", siteKindName(site.kind)},
          {"file", site.file},
          {"line", site.line},
          {"column", site.column},
          {"function", site.function},
          {"linkage_name", site.linkageName},
          {"object", site.object},
          {"offset", site.offset},
          {"size", site.size},
          {"callee", site.callee},
          {"inlined_at", site.inlinedAt},
          {"sync", (site.flags & kSiteSync) != 0},
          {"library", (site.flags & kSiteLibrary) != 0},
          {"volatile", site.kind != SiteKind::Call && (site.flags & kSiteVolatile) != 0},
          {"module", site.module}};
}

Json stepJson(const ExploredStep& step) {
  Json json{{"thread", step.thread}, {"access", step.access}};
  if (step.file.empty() && step.object.empty())
    return json;
  json["file"] = step.file;
  json["line"] = step.line;
  json["object"] = step.object;
  return json;
}

Json failureJson(const ExploredFailure& failure) {
  Json json{{"kind", failure.kind},
            {"classes", failure.classes},
            {"first_run", failure.firstRun},
            {"schedule", Json::array()}};
  if (!failure.site.empty())
    json["site"] = failure.site;
  for (const auto& [first, second] : failure.schedule)
    json["schedule"].push_back(Json::array({stepJson(first), stepJson(second)}));
  return json;
}

Json synthTestJson(const SynthTest& test) {
  Json pairs = Json::array();
  const char* aim = test.isForOutcome ? "outcome" : test.pairs.empty() ? "random" : "race";
  for (const std::vector<SynthAccess>& pair : test.pairs) {
    Json sides = Json::array();
    for (const SynthAccess& access : pair)
      sides.push_back({{"method", access.method},
                       {"access", access.isWrite ? "write" : "read"},
                       {"member", access.member},
                       {"file", access.file},
                       {"line", access.line}});
    pairs.push_back(std::move(sides));
  }
  return {{"test", test.name}, {"calls", test.calls}, {"aim", aim}, {"pairs", std::move(pairs)}};
}

Json omissionsJson(const std::vector<SynthOmission>& omissions, const char* what) {
  Json all = Json::array();
  for (const SynthOmission& one : omissions)
    all.push_back({{what, one.what}, {"reason", one.reason}});
  return all;
}

Json synthChecksJson(const SynthChecks& checks) {
  Json tests = Json::array();
  for (const SynthCheck& check : checks.tests) {
    tests.push_back({{"test", check.name},
                     {"calls", check.calls},
                     {"runs", check.runs},
                     {"seconds", check.seconds},
                     {"announced", check.isAnnounced},
                     {"not_linearizable", check.hasOutcome},
                     {"asserted", check.isAsserted},
                     {"findings", check.findings},
                     {"kinds", check.kinds},
                     {"statuses", check.statuses}});
    if (!check.nothing.empty())
      tests.back()["nothing"] = check.nothing;
  }
  return {{"serial_seconds", checks.serialSeconds},
          {"build_seconds", checks.buildSeconds},
          {"check_seconds", checks.checkSeconds},
          {"tests", std::move(tests)}};
}

/// One overload for each kind of summary.
class Writer {
public:
  Writer(Json& json, const Report& report) : json_(json), report_(report) {}

  void operator()(const std::monostate&) {}

  void operator()(const SearchSummary& summary) {
    if (summary.fromSource)
      add(*summary.fromSource);
    if (summary.candidates)
      json_["candidates"] = *summary.candidates;
    if (summary.patterns)
      add(*summary.patterns);
    if (summary.method)
      add(*summary.method);
    if (summary.sampling)
      add(*summary.sampling);
    json_["functions_not_seen"] = unseenJson(summary.functionsNotSeen);
    json_["steps"] = summary.steps;
    json_["cut"] = summary.cut;
    json_["out_of_time"] = summary.outOfTime;
    json_["minimizing_runs"] = summary.minimizingRuns;
    json_["windows"] = summary.windows;
    if (summary.lastRun)
      add(*summary.lastRun);
    addError();
  }

  void operator()(const SuiteSummary& summary) {
    Json list = Json::array();
    for (const TestOutcome& outcome : summary.tests) {
      Json entry{{"test", outcome.test},
                 {"status", testEndName(outcome.end)},
                 {"runs", outcome.runs},
                 {"seconds", outcome.seconds},
                 {"findings", outcome.findings}};
      if (!outcome.why.empty())
        entry["why"] = outcome.why;
      list.push_back(std::move(entry));
    }
    json_["tests"] = std::move(list);
    json_["functions_not_seen"] = unseenJson(summary.functionsNotSeen);
  }

  void operator()(const AnalyzeSummary& summary) {
    if (summary.pairs)
      json_["pairs"] = pairsJson(*summary.pairs);
    if (summary.localSites)
      json_["local_sites"] = localSitesJson(*summary.localSites);
    json_["interface"] = summary.interface;
    add(summary.stages);
    json_["context_depth"] = summary.contextDepth;
    json_["sizes"] = {{"units", summary.units},
                      {"functions", summary.functions},
                      {"instructions", summary.instructions},
                      {"contexts", summary.contexts},
                      {"threads", summary.threads}};
    json_["phases"] = Json::object();
    for (const auto& [name, seconds] : summary.phases)
      json_["phases"][name] = seconds;
    json_["peak_memory"] = summary.peakMemory;
    json_["unknown"] = summary.unknown;
    if (summary.explained)
      json_["explanations"] = explanationsJson(*summary.explained);
  }

  void operator()(const ReplaySummary& summary) {
    json_["trace_digest"] = summary.digest;
    if (!summary.outcome.empty())
      json_["outcome"] = summary.outcome;
    addError();
  }

  void operator()(const MinimizeSummary& summary) { json_["minimizing_runs"] = summary.runs; }

  void operator()(const ExploreSummary& summary) {
    json_["verdict"] = {{"exhaustive", summary.caveats.empty()},
                        {"equivalence", summary.equivalence},
                        {"classes", summary.complete},
                        {"runs", summary.runs},
                        {"complete", summary.complete},
                        {"failing", summary.failing},
                        {"abandoned", summary.abandoned},
                        {"blocked", summary.blocked},
                        {"duplicates", summary.duplicates},
                        {"reopened", summary.reopened},
                        {"caveats", summary.caveats},
                        {"probes", summary.probes},
                        {"resumed", summary.resumed},
                        {"failures", Json::array()}};
    for (const ExploredFailure& failure : summary.failures)
      json_["verdict"]["failures"].push_back(failureJson(failure));
  }

  void operator()(const SitesSummary& summary) {
    Json sites = Json::array();
    for (const SiteEntry& site : summary.sites)
      sites.push_back(siteJson(site));
    json_["sites"] = std::move(sites);
  }

  void operator()(const TestsSummary& summary) {
    Json list = Json::array();
    for (const ListedTest& test : summary.tests) {
      list.push_back({{"test", test.name}});
      if (!test.skipped.empty())
        list.back()["skipped"] = test.skipped;
    }
    json_["tests"] = std::move(list);
  }

  void operator()(const DoctorSummary& summary) {
    Json checks = Json::array();
    for (const MachineCheck& check : summary.checks)
      checks.push_back({{"name", check.name},
                        {"state", check.state},
                        {"found", check.found},
                        {"advice", check.advice}});
    json_["checks"] = std::move(checks);
  }

  void operator()(const HistorySummary& summary) {
    Json list = Json::array();
    for (const PastCommand& past : summary.commands)
      list.push_back({{"command", past.command},
                      {"program", past.program},
                      {"started", past.started},
                      {"seconds", past.seconds},
                      {"runs", past.runs},
                      {"findings", past.findings}});
    json_["commands_run"] = std::move(list);
  }

  void operator()(const SynthSummary& summary) {
    json_["folder"] = summary.folder;
    json_["sequential_tests"] = summary.sequentialTests;
    json_["skipped_tests"] = omissionsJson(summary.skippedTests, "test");
    json_["methods"] = summary.methods;
    json_["uncalled_methods"] = summary.uncalledMethods;
    json_["classes"] = Json::array();
    for (const SynthClass& one : summary.classes)
      json_["classes"].push_back({{"class", one.name},
                                  {"methods", one.methods},
                                  {"pairs", one.pairs},
                                  {"tests", one.tests},
                                  {"seconds", one.seconds}});
    json_["pairs"] = summary.pairs;
    json_["tests"] = Json::array();
    for (const SynthTest& test : summary.tests)
      json_["tests"].push_back(synthTestJson(test));
    json_["dropped"] = omissionsJson(summary.dropped, "calls");
    json_["unpaired"] = Json::array();
    for (const auto& [reason, count] : summary.unpaired)
      json_["unpaired"].push_back({{"reason", reason}, {"pairs", count}});
    json_["times"] = {{"recording", summary.recordingSeconds},
                      {"synthesis", summary.synthesisSeconds},
                      {"compiling", summary.compilingSeconds}};
    if (summary.checks)
      json_["checks"] = synthChecksJson(*summary.checks);
  }

private:
  void add(const StaticCounts& counts) {
    json_["static_candidates"] = counts.candidates;
    json_["static_only"] = counts.added;
    json_["local_sites"] = counts.localSites;
    json_["local_sites_refuted"] = counts.refutedLocalSites;
  }

  void add(const PatternCounts& counts) {
    json_["patterns"] = counts.patterns;
    json_["patterns_confirmed"] = counts.confirmed;
    json_["pattern_runs"] = counts.runs;
    json_["pattern_hits"] = counts.hits;
    json_["first_confirmed"] = counts.firstConfirmed;
    json_["thrashings"] = counts.thrashings;
  }

  void add(const MethodCounts& counts) {
    json_["method"] = counts.method;
    json_["method_runs"] = counts.runs;
    json_["detections"] = counts.detections;
    json_["first_detection"] = counts.firstDetection;
    json_["violations"] = counts.violations;
    json_["method_failures"] = counts.failures;
    json_["thrashings"] = counts.thrashings;
  }

  void add(const SamplingCounts& counts) {
    if (!counts.isolationReason.empty())
      json_["isolation_reason"] = counts.isolationReason;
    json_["behaviours"] = counts.behaviours;
    json_["isolation"] = counts.isolation;
  }

  void add(const LastRun& run) {
    json_["last_run"] = {
        {"seed", run.seed},   {"outcome", run.outcome}, {"exit_status", run.exitStatus},
        {"steps", run.steps}, {"threads", run.threads}, {"trace_digest", run.digest}};
  }

  /// What each of the filters after the locks takes away of what the last has left.
  void add(const StageCounts& stages) {
    json_["stages"] = {{"original", stages.original}, {"reachable", stages.reachable},
                       {"aliasing", stages.aliasing}, {"escaping", stages.escaping},
                       {"unlocked", stages.unlocked}, {"parallel", stages.parallel},
                       {"join", stages.join},         {"slots", stages.slots}};
    json_["removed"] = {{"parallel", stages.unlocked - stages.parallel},
                        {"join", stages.parallel - stages.join},
                        {"slots", stages.join - stages.slots}};
  }

  void addError() {
    if (!report_.lost.empty())
      json_["error"] = report_.lost;
  }

  Json& json_;
  const Report& report_;
};

} // namespace

void addSummary(Json& json, const Report& report) {
  std::visit(Writer(json, report), report.facts);
  if (report.suppressed != 0)
    json["suppressed"] = report.suppressed;
}

} // namespace heddle
