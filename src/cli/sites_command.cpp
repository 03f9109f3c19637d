#include "cli/command.h"
#include "cli/console.h"
#include "pipeline/commands/site_listing.h"

namespace heddle {
namespace {

class SitesCommand : public Command {
public:
  const char* name() const override { return "sites"; }
  const char* summary() const override { return "the site table of a program, readable"; }
  std::vector<std::string> optionKeys() const override {
    return {"store", "format", "output", "hang_seconds", "wait_seconds"};
  }
  int execute(const Input& input) override {
    auto program = readProgram(input.words, {});
    if (!program)
      return printError(program.error());
    CommandContext context(*program, input.options, nullptr);
    auto listing = listSites(context);
    if (!listing)
      return printError(listing.error());
    if (input.options.format != "text")
      return finishCommand(*listing, input.options, nullptr);
    return finishText(siteListingText(*listing->sites), input.options, kExitNothingFound);
  }
};

} // namespace

std::unique_ptr<Command> makeSitesCommand() { return std::make_unique<SitesCommand>(); }

} // namespace heddle
