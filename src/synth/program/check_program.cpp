#include "synth/program/check_program.h"

#include "synth/program/commands.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <utility>
#include <vector>

namespace heddle::synth {
namespace {

using nlohmann::json;

constexpr double kGraceSeconds = 60;

using Place = std::pair<std::string, unsigned>;

Place placeOf(const json& one) { return {one.value("file", ""), one.value("line", 0u)}; }

/// The site, and what it has called: a site in a folder of the system is told as that of its
/// caller, and the library may lie there.
void addPlaces(const json& site, std::vector<Place>& places) {
  Place own = placeOf(site);
  for (const json& frame : site.value("stack", json::array())) {
    if (placeOf(frame) == own)
      break;
    places.push_back(placeOf(frame));
  }
  places.push_back(own);
}

CheckedFinding findingOf(const json& one) {
  CheckedFinding finding;
  finding.id = one.value("id", "");
  finding.kind = one.value("kind", "");
  finding.status = one.value("status", "");
  if (one.contains("failure") && one["failure"].is_object())
    finding.failure = one["failure"].value("kind", "");
  for (const json& site : one.value("sites", json::array()))
    addPlaces(site, finding.places);
  return finding;
}

} // namespace

CheckOutcome checkProgram(const CheckProgram& program) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "--seconds=%.1f", program.seconds);
  std::remove(program.report.c_str());
  CommandLine command{{program.heddle, "check", "--format=json", "--keep-going", "--gtest=off",
                       seconds, "--jobs=" + std::to_string(program.jobs),
                       "--store=" + program.store, "--output=" + program.report,
                       program.executable},
                      "",
                      {}};
  command.words.insert(command.words.end(), program.arguments.begin(), program.arguments.end());
  CommandEnd end = runCommand(command, program.seconds + kGraceSeconds);
  CheckOutcome outcome;
  std::ifstream file(program.report);
  json report = json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!report.is_object()) {
    outcome.problem = "heddle check " + end.text();
    return outcome;
  }
  outcome.runs = report.value("runs", 0ull);
  outcome.seconds = report.value("seconds", 0.0);
  for (const json& one : report.value("findings", json::array()))
    if (one.value("status", "") != "potential")
      outcome.findings.push_back(findingOf(one));
  if (WIFEXITED(end.status) && WEXITSTATUS(end.status) == 4 && outcome.findings.empty())
    outcome.problem = "control was lost: " + report.value("lost", "");
  return outcome;
}

} // namespace heddle::synth
