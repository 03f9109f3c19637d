#include "cli/command.h"
#include "cli/console.h"
#include "pipeline/commands/analyze.h"
#include "report/path_graph.h"

#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

Status writeGraphs(const std::string& folder, const std::vector<Finding>& findings) {
  if (folder.empty())
    return Success{};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const Finding& finding : findings) {
    std::string path = folder + "/" + finding.id + ".dot";
    std::ofstream out(path);
    out << pathGraph(finding);
    if (!out.flush())
      return Error{path + ": cannot be written", ErrorKind::Environment};
  }
  return Success{};
}

class AnalyzeCommand : public Command {
public:
  const char* name() const override { return "analyze"; }
  const char* summary() const override {
    return "find possible data races of a program without running it";
  }
  bool takesProgram() const override { return false; }
  uint64_t mostMemory() const override { return kMaxMemoryOfAnAnalysis; }
  const char* operands() const override { return "FILE ... (programs, libraries, objects, .bc)"; }
  std::vector<std::string> optionKeys() const override {
    return {"seconds", "format", "output", "fail_on", "suppressions"};
  }
  void addArguments(CLI::App& app) override {
    app.add_option("--context-depth", contextDepth_,
                   "receivers or calls that tell contexts apart (default 2)")
        ->check(CLI::Range(0, 4));
    app.add_option("--interface", interfaces_,
                   "classes (or functions) that any threads may call: for code without main")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--interface-header", headers_, "the same for all that a header declares")
        ->allow_extra_args(false);
    app.add_option("--annotations", annotations_,
                   "file that says what is used by one thread at a time");
    app.add_option("--group", group_, "list races by member or variable, or by memory")
        ->check(CLI::IsMember({"field", "object"}));
    app.add_flag("--paths", paths_, "show all call paths to the accesses, not one each");
    app.add_option("--graphs", graphs_, "folder for a call-path graph (dot) of each race");
    app.add_flag("--pairs", pairs_, "with --format=json: concurrent access pairs (RW, MM, WM, WN)");
    app.add_flag("--local", local_,
                 "with --format=json: sites that only touch memory of their own thread");
    app.add_flag("--all", all_, "list what is less likely as well, and all of it");
    app.add_option("--limit", limit_, "most findings that the text lists (default 20)")
        ->check(CLI::PositiveNumber);
    app.add_option("--explain", explain_,
                   "FILE:LINE: say why the accesses there are or are not in a race");
  }
  int execute(const Input& input) override {
    if (input.words.empty())
      return printError({"analyze needs a file\n  heddle analyze ./prog", ErrorKind::Usage});
    AnalyzeRequest request{.files = input.words,
                           .contextDepth = contextDepth_,
                           .interfaces = interfaces_,
                           .interfaceHeaders = headers_,
                           .annotations = annotations_,
                           .explain = explain_,
                           .groupByObject = group_ == "object",
                           .everyPath = paths_ || !graphs_.empty(),
                           .accessPairs = pairs_,
                           .localSites = local_,
                           .all = all_,
                           .limit = limit_,
                           .progress = terminalProgress()};
    auto result = analyzeFiles(request, input.options);
    if (result)
      if (Status status = writeGraphs(graphs_, result->report.findings); !status)
        return printError(status.error());
    return finishCommand(result, input.options, nullptr);
  }

private:
  unsigned contextDepth_ = 2;
  std::vector<std::string> interfaces_, headers_;
  std::string annotations_, explain_, graphs_;
  std::string group_ = "field";
  bool paths_ = false;
  bool pairs_ = false;
  bool local_ = false;
  bool all_ = false;
  size_t limit_ = 20;
};

} // namespace

std::unique_ptr<Command> makeAnalyzeCommand() { return std::make_unique<AnalyzeCommand>(); }

} // namespace heddle
