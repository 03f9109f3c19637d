#include "cli/command.h"
#include "cli/console.h"
#include "model/shell_words.h"
#include "pipeline/judging/stored_run.h"

#include <spawn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle {
namespace {

/// The named findings of the store, or all.
Result<std::vector<StoredFinding>> load(const Store& store, const std::vector<std::string>& names) {
  std::vector<StoredFinding> loaded;
  auto take = [&](Result<StoredFinding> stored) -> Status {
    if (!stored)
      return stored.error();
    loaded.push_back(std::move(*stored));
    return Success{};
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

constexpr size_t kMaxCommands = 200;

/// What the store was used for so far.
Result<HistorySummary> historyOf(const Store& store) {
  auto commands = store.commands(kMaxCommands);
  if (!commands)
    return commands.error();
  HistorySummary history;
  for (const CommandRecord& record : *commands)
    history.commands.push_back({record.command, record.argv.empty() ? "" : record.argv.front(),
                                record.started, record.seconds, record.runs,
                                record.findings.size()});
  return history;
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
  auto history = historyOf(store);
  if (!history)
    return history.error();
  report.facts = std::move(*history);
  if (report.brief && !report.findings.empty())
    report.summary.emplace_back(
        "heddle report ID shows one of them, heddle replay ID runs it again");
  return report;
}

/// Shows a page in the user's browser, as the desktop would. Not being able to is no failure of the
/// command: the page is there.
void openPage(const std::string& path) {
  std::string opener = "xdg-open";
  std::string file = path;
  char* argv[] = {opener.data(), file.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "xdg-open", nullptr, nullptr, argv, environ);
  int status = 0;
  if (error == 0 && waitpid(child, &status, 0) == child && status == 0)
    return;
  printWarning("cannot open " + path + " with xdg-open" +
               (error ? std::string(": ") + strerror(error) : "") + "; open it in a browser");
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
  void addArguments(CLI::App& app) override {
    app.add_flag("--open", open_,
                 "show the page (--format=html) in a browser; without --output it is report.html "
                 "in the store");
  }
  int execute(const Input& input) override {
    if (!open_)
      return show(input.words, input.options);
    Options options = input.options;
    if (options.format == "text")
      options.format = "html";
    if (options.format != "html" || options.output == "-")
      return printError(
          {"--open shows a page in a file: --format=html --output FILE", ErrorKind::Usage});
    if (options.output.empty())
      options.output = options.store + "/report.html";
    const int exitCode = show(input.words, options);
    if (exitCode == kExitNothingFound || exitCode == kExitFound)
      openPage(options.output);
    return exitCode;
  }

private:
  static int show(const std::vector<std::string>& names, const Options& options) {
    auto store = Store::open(options.store, Store::Access::ReadOnly);
    if (!store)
      return printError(store.error());
    auto report = loadReport(*store, names);
    if (!report)
      return printError(report.error());
    CommandResult result;
    result.report = std::move(*report);
    return finishCommand(result, options, nullptr);
  }

  bool open_ = false;
};

} // namespace

std::unique_ptr<Command> makeReportCommand() { return std::make_unique<ReportCommand>(); }

} // namespace heddle
