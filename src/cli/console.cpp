#include "cli/console.h"

#include "cli/exit_code.h"
#include "control/interrupt.h"
#include "report/reporter.h"
#include "report/source_excerpts.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace heddle {
namespace {

constexpr int kInputPatience = 2000; ///< milliseconds
bool gProgressShown = false;

/// UTC, "2025-01-31T12:00:00Z".
std::string currentTime() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32];
  const size_t size = std::strftime(text, sizeof(text), "%FT%TZ", gmtime_r(&now, &parts));
  return {text, size};
}

/// Columns of the terminal that standard output is, or what COLUMNS says; 0: nobody knows.
unsigned terminalWidth() {
  if (const char* said = std::getenv("COLUMNS"); said && *said) {
    unsigned columns = 0;
    const char* end = said + std::strlen(said);
    if (std::from_chars(said, end, columns).ptr == end)
      return columns;
  }
  winsize size{};
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// What only the caller of a reporter knows.
ReportOptions lookOf(const Report& report, const Options& options) {
  ReportOptions look;
  look.showOutput = options.show_output == "failing";
  std::error_code ignored;
  look.sourceRoot = std::filesystem::current_path(ignored).string();
  look.time = currentTime();
  if (options.output.empty() || options.output == "-")
    look.width = terminalWidth();
  look.readSource = sourceFileReader(report.program.empty() ? "" : report.program.front());
  return look;
}

} // namespace

bool putText(FILE* file, const std::string& text) {
  bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fflush(file) == 0 && written;
}

int printError(const Error& error) {
  endProgress();
  putText(stderr, fmt::format("heddle: {}\n", error.message));
  return exitCodeOf(error);
}

void printWarning(const std::string& text) {
  endProgress();
  putText(stderr, fmt::format("heddle: warning: {}\n", text));
}

Result<std::shared_ptr<const Program>> readProgram(const std::vector<std::string>& words,
                                                   const std::vector<std::string>& environment) {
  auto program = locateProgram(words);
  if (!program)
    return program.error();
  program->environment = chooseEnvironment(ownEnvironment(), environment);
  InputCopy input = copyInput(STDIN_FILENO, kInputPatience);
  program->hasInput = input.present;
  program->input = std::move(input.text);
  if (input.stayedOpen)
    printWarning("standard input stays open; every run gets a copy of what came so far. Use "
                 "</dev/null or a file if the program needs no more");
  return std::make_shared<const Program>(std::move(*program));
}

std::optional<Store> openStore(const Options& options) {
  auto store = Store::open(options.store);
  if (store)
    return std::move(*store);
  printWarning(store.error().message + "; findings are printed, but not kept");
  return std::nullopt;
}

Status writeReport(const Report& report, const Options& options) {
  auto reporter = createReporter(options.format);
  if (!reporter)
    return reporter.error();
  ReportOptions look = lookOf(report, options);
  if (options.output.empty() || options.output == "-") {
    look.colour = wantColour(isatty(STDOUT_FILENO));
    (*reporter)->write(report, std::cout, look);
    std::cout.flush();
    if (!std::cout)
      return Error{std::string("cannot write the report: ") + strerror(errno),
                   ErrorKind::Environment};
    return Success{};
  }
  std::ofstream file(options.output);
  (*reporter)->write(report, file, look);
  file.flush();
  if (!file)
    return Error{"cannot write the report to " + options.output + ": " + strerror(errno),
                 ErrorKind::Environment};
  return Success{};
}

int finishCommand(const Result<CommandResult>& result, const Options& options, Store* store) {
  endProgress();
  if (result)
    return finishCommand(*result, options, store, exitCodeOf(*result, options));
  int exitCode = printError(result.error());
  return interrupted() ? kExitInterrupted : exitCode;
}

int finishCommand(const CommandResult& result, const Options& options, Store* store, int exitCode) {
  endProgress();
  CommandResult command = result;
  if (command.lost)
    command.report.lost = command.lost->message;
  Status written = writeReport(command.report, options);
  if (!written && !options.output.empty()) {
    // The findings must not be lost with the file.
    Options fallback = options;
    fallback.output.clear();
    (void)!writeReport(command.report, fallback);
  }
  if (store) {
    CommandRecord record{command.report.command,
                         command.report.program,
                         "",
                         command.report.seconds,
                         command.report.runs,
                         exitCode,
                         {}};
    for (const Finding& finding : command.report.findings)
      record.findings.push_back(finding.id);
    if (Status logged = store->logCommand(record); !logged)
      printWarning(logged.error().message);
  }
  if (command.lost)
    printError(*command.lost);
  if (!written)
    return printError(written.error());
  return exitCode;
}

int finishText(const std::string& text, const Options& options, int exitCode) {
  if (options.output.empty() || options.output == "-") {
    if (!putText(stdout, text))
      return printError({std::string("cannot write to standard output: ") + strerror(errno),
                         ErrorKind::Environment});
    return exitCode;
  }
  std::ofstream file(options.output);
  file << text << std::flush;
  if (!file)
    return printError(
        {"cannot write to " + options.output + ": " + strerror(errno), ErrorKind::Environment});
  return exitCode;
}

static std::string progressText(const StageProgress& progress) {
  if (progress.stage.starts_with("analysis: ")) // it runs nothing
    return fmt::format("[{}]", progress.stage);
  std::string text = fmt::format("[{}] {} runs", progress.stage, progress.runs);
  if (progress.candidates != 0)
    text += fmt::format(", {} candidates, {} came about", progress.candidates, progress.cameAbout);
  if (progress.behaviours != 0)
    text += fmt::format(", {} behaviours", progress.behaviours);
  text += fmt::format(", {} failures", progress.findings);
  if (progress.secondsLeft >= 0)
    text += fmt::format(", {:.0f} s left", progress.secondsLeft);
  return text;
}

ProgressListener terminalProgress() {
  if (!isatty(STDERR_FILENO))
    return nullptr;
  auto last = std::make_shared<std::chrono::steady_clock::time_point>();
  return [last](const StageProgress& progress) {
    auto now = std::chrono::steady_clock::now();
    if (now - *last < std::chrono::milliseconds(100))
      return;
    *last = now;
    putText(stderr, "\r\033[K" + progressText(progress));
    gProgressShown = true;
  };
}

void endProgress() {
  if (!gProgressShown)
    return;
  putText(stderr, "\r\033[K");
  gProgressShown = false;
}

} // namespace heddle
