#include "cli/command.h"
#include "cli/console.h"
#include "pipeline/analyze.h"

namespace heddle {
namespace {

class AnalyzeCommand : public Command {
public:
  const char* name() const override { return "analyze"; }
  const char* summary() const override {
    return "find possible data races of a program without running it";
  }
  bool takesProgram() const override { return false; }
  const char* operands() const override { return "FILE ... (programs, libraries, objects, .bc)"; }
  std::vector<std::string> optionKeys() const override {
    return {"seconds", "format", "output", "fail_on", "suppressions"};
  }
  void addArguments(CLI::App& app) override {
    app.add_option("--context-depth", contextDepth_,
                   "receivers or calls that tell contexts apart (default 2)")
        ->check(CLI::Range(0, 4));
  }
  int execute(const Input& input) override {
    if (input.words.empty())
      return printError({"analyze needs a file\n  heddle analyze ./prog", kExitUsage});
    AnalyzeRequest request{input.words, contextDepth_, terminalProgress()};
    return finishCommand(analyzeFiles(request, input.options), input.options, nullptr);
  }

private:
  unsigned contextDepth_ = 2;
};

} // namespace

std::unique_ptr<Command> makeAnalyzeCommand() { return std::make_unique<AnalyzeCommand>(); }

} // namespace heddle
