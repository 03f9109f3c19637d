#include "cli/command.h"
#include "cli/console.h"
#include "pipeline/googletest/test_listing.h"

namespace heddle {
namespace {

class TestsCommand : public Command {
public:
  const char* name() const override { return "tests"; }
  const char* summary() const override {
    return "the tests of a GoogleTest program that check and races explore";
  }
  std::vector<std::string> optionKeys() const override {
    return {"gtest", "format", "output", "wait_seconds"};
  }
  int execute(const Input& input) override {
    auto program = readProgram(input.words, {});
    if (!program)
      return printError(program.error());
    if (!isTestProgram(**program, input.options))
      return printError({(*program)->arguments[0] +
                             " is not run test by test: GoogleTest is not in it, or it is asked "
                             "for something else; --gtest=on says that it is a GoogleTest program",
                         ErrorKind::Usage});
    auto tests = listTests(**program, input.options);
    if (!tests)
      return printError(tests.error());
    if (input.options.format == "text")
      return finishText(testListingText(*tests), input.options, kExitNothingFound);
    CommandResult result;
    result.report.command = name();
    result.report.program = (*program)->arguments;
    result.report.facts = TestsSummary{std::move(*tests)};
    return finishCommand(result, input.options, nullptr);
  }
};

} // namespace

std::unique_ptr<Command> makeTestsCommand() { return std::make_unique<TestsCommand>(); }

} // namespace heddle
