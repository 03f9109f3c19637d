#include "cli/command.h"
#include "cli/console.h"
#include "pipeline/commands/exporting.h"

#include <fmt/format.h>

namespace heddle {
namespace {

class ExportCommand : public Command {
public:
  const char* name() const override { return "export"; }
  bool takesProgram() const override { return false; }
  const char* operands() const override { return "ID"; }
  const char* summary() const override {
    return "one file that replays a finding on another machine: ID";
  }
  std::vector<std::string> optionKeys() const override { return {"store", "output", "format"}; }
  void addArguments(CLI::App& app) override {
    app.add_flag("--without-program", withoutProgram_,
                 "leave the executable out; the other machine has one of the same build");
  }
  int execute(const Input& input) override {
    if (input.words.size() != 1)
      return printError(
          {"expected one finding: heddle export ID [--output FILE]", ErrorKind::Usage});
    auto file =
        exportFinding(input.options.store, input.words[0], input.options.output, !withoutProgram_);
    if (!file)
      return printError(file.error());
    for (const std::string& warning : file->warnings)
      printWarning(warning);
    putText(stdout, fmt::format("{}\nreplay it with: heddle replay {}\n", file->path, file->path));
    return kExitNothingFound;
  }

private:
  bool withoutProgram_ = false;
};

} // namespace

std::unique_ptr<Command> makeExportCommand() { return std::make_unique<ExportCommand>(); }

} // namespace heddle
