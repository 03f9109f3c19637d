#include "cli/command.h"
#include "cli/console.h"
#include "model/shell_words.h"
#include "pipeline/replay_target.h"

#include <algorithm>

namespace heddle {
namespace {

/// The named findings of the store, or all.
Result<std::vector<StoredFinding>> load(const Store& store, const std::vector<std::string>& names) {
  std::vector<StoredFinding> loaded;
  auto take = [&](Result<StoredFinding> stored) -> Status {
    if (!stored)
      return stored.error();
    loaded.push_back(std::move(*stored));
    return Unit{};
  };
  for (const std::string& name : names)
    if (Status status = take(store.finding(name)); !status)
      return status.error();
  if (!names.empty())
    return loaded;
  auto all = store.findings();
  if (!all)
    return all.error();
  for (const FindingSummary& summary : *all)
    if (Status status = take(store.finding(summary)); !status)
      return status.error();
  return loaded;
}

/// The command line that all of them were found with; empty: there are several.
std::vector<std::string> commonProgram(const std::vector<StoredFinding>& findings) {
  bool several = std::any_of(findings.begin(), findings.end(), [&](const StoredFinding& stored) {
    return stored.run.argv != findings.front().run.argv;
  });
  return several || findings.empty() ? std::vector<std::string>{} : findings.front().run.argv;
}

Result<Report> loadReport(const Store& store, const std::vector<std::string>& names) {
  Report report;
  report.command = "report";
  report.brief = names.empty();
  auto loaded = load(store, names);
  if (!loaded)
    return loaded.error();
  report.program = commonProgram(*loaded);
  for (StoredFinding& stored : *loaded) {
    // Another program may have got the same finding since it was stored.
    auto name = store.nameOf(stored.finding.id, programOf(stored.run));
    if (!name)
      return name.error();
    if (*name != stored.finding.id) {
      stored.finding.name = *name;
      stored.finding.replay = "heddle replay" + storeOption(store.directory()) + shellQuoted(*name);
    }
    report.findings.push_back(std::move(stored.finding));
  }
  if (report.brief && !report.findings.empty())
    report.summary.emplace_back(
        "heddle report ID shows one of them, heddle replay ID runs it again");
  return report;
}

class ReportCommand : public Command {
public:
  const char* name() const override { return "report"; }
  bool takesProgram() const override { return false; }
  const char* operands() const override { return "[ID ...]"; }
  const char* summary() const override {
    return "show stored findings again, in any format: [ID ...]";
  }
  std::vector<std::string> optionKeys() const override {
    return {"store", "format", "output", "show_output", "fail_on"};
  }
  int execute(const Input& input) override {
    auto store = Store::open(input.options.store, Store::Access::ReadOnly);
    if (!store)
      return printError(store.error());
    auto report = loadReport(*store, input.words);
    if (!report)
      return printError(report.error());
    CommandResult result;
    result.report = std::move(*report);
    result.exitCode = exitCodeOf(result, input.options);
    return finishCommand(result, input.options, nullptr);
  }
};

} // namespace

std::unique_ptr<Command> makeReportCommand() { return std::make_unique<ReportCommand>(); }

} // namespace heddle
