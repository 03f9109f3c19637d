#include "cli/command.h"
#include "cli/console.h"

namespace heddle {
namespace {

/// Findings of the store: the named ones, or all.
Result<Report> loadReport(const Store& store, std::vector<std::string> ids) {
  Report report;
  report.command = "report";
  if (ids.empty()) {
    report.brief = true;
    auto all = store.findings();
    if (!all)
      return all.error();
    for (const FindingSummary& summary : *all)
      ids.push_back(summary.id);
  }
  for (const std::string& id : ids) {
    auto stored = store.finding(id);
    if (!stored)
      return stored.error();
    report.program = stored->run.argv;
    report.findings.push_back(std::move(stored->finding));
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
