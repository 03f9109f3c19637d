#include "synth/program/check_program.h"

#include "synth/program/commands.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <sys/wait.h>

namespace heddle::synth {
namespace {

using nlohmann::json;

constexpr double kGraceSeconds = 60;

CheckedFinding findingOf(const json& one) {
  CheckedFinding finding;
  finding.id = one.value("id", "");
  finding.kind = one.value("kind", "");
  finding.status = one.value("status", "");
  if (one.contains("failure") && one["failure"].is_object())
    finding.failure = one["failure"].value("kind", "");
  for (const json& site : one.value("sites", json::array()))
    finding.places.emplace_back(site.value("file", ""), site.value("line", 0u));
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
