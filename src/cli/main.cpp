#include "cli/command.h"
#include "cli/console.h"
#include "control/interrupt.h"
#include "model/spelling.h"

#include <fmt/format.h>

#include <cstdlib>

namespace heddle {
namespace {

/// The command line before CLI11 sees it: what stands behind a lone "--" is not ours.
struct SplitArguments {
  std::vector<std::string> own;
  std::vector<std::string> rest;
  bool hasRest = false;
};

SplitArguments splitArguments(int argc, char** argv) {
  SplitArguments split;
  for (int i = 1; i < argc; ++i) {
    if (!split.hasRest && std::string(argv[i]) == "--") {
      split.hasRest = true;
      continue;
    }
    (split.hasRest ? split.rest : split.own).emplace_back(argv[i]);
  }
  return split;
}

/// "-j," before "--jobs": the options that have a short form.
std::string shortFlag(const std::string& key) {
  return key == "jobs" ? "-j," : key == "output" ? "-o," : "";
}

/// Says what follows the options, which CLI11 does not know.
class HelpFormatter : public CLI::Formatter {
public:
  explicit HelpFormatter(std::string operands) : operands_(std::move(operands)) {}

  /// Without the form that turns a flag off, and what CLI11 says of its value.
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, positional);
    return name.substr(0, name.find(",--no-"));
  }

  std::string make_usage(const CLI::App* app, std::string) const override {
    return "Usage: heddle " + app->get_name() + " [options] " + operands_ + "\n";
  }

private:
  std::string operands_;
};

struct Entry {
  std::unique_ptr<Command> command;
  CLI::App* app = nullptr;
};

class CommandLine {
public:
  CommandLine() : app_("heddle finds concurrency bugs in C and C++ programs", "heddle") {
    app_.require_subcommand(0, 1);
    app_.allow_extras();
    app_.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    app_.footer("Options can also be given as HEDDLE_OPTIONS=key=value:key=value, with '_' for "
                "'-'.\nExit codes: 0 nothing found, 1 usage or environment, 2 found, 3 internal "
                "error,\n4 lost control of the program, 130 interrupted.");
    for (auto& command : makeCommands())
      add(std::move(command));
  }

  int run(int argc, char** argv) {
    if (const char* text = getenv("HEDDLE_OPTIONS"))
      if (Status status = readOptionsText(input_.options, text); !status)
        return printError(status.error());
    SplitArguments split = splitArguments(argc, argv);
    std::vector<std::string> reversed(split.own.rbegin(), split.own.rend());
    try {
      app_.parse(reversed);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
        return app_.exit(error);
      return printError(
          {std::string(error.what()) + "; `heddle help` shows what there is", ErrorKind::Usage});
    }
    if (optionError_)
      return printError(*optionError_);
    for (Entry& entry : entries_)
      if (entry.app->parsed())
        return execute(entry, split);
    return noCommand();
  }

private:
  void add(std::unique_ptr<Command> command) {
    CLI::App* sub = app_.add_subcommand(command->name(), command->summary());
    if (command->takesProgram())
      sub->prefix_command(); // what follows the program is the program's
    else
      sub->allow_extras();
    sub->formatter(std::make_shared<HelpFormatter>(command->operands()));
    for (const std::string& key : command->optionKeys())
      addOption(*sub, key);
    addOption(*sub, "memory");
    command->addArguments(*sub);
    entries_.push_back({std::move(command), sub});
  }

  void addOption(CLI::App& sub, const std::string& key) {
    for (const OptionFacts& facts : optionList()) {
      if (key != facts.key)
        continue;
      std::string flag = "--" + facts.flagName();
      std::string help = facts.help;
      if (*facts.allowed)
        help += std::string(" (") + facts.allowed + ")";
      if (facts.type == OptionType::Flag)
        help += facts.initial == "true" ? " [on; --no-" + facts.flagName() + " turns it off]" : "";
      else if (!facts.initial.empty())
        help += " [" + facts.initial + "]";
      if (facts.type == OptionType::Flag)
        sub.add_flag(flag + ",!--no-" + facts.flagName())
            ->each([this, key](const std::string& value) { set(key, value); })
            ->description(help);
      else
        sub.add_option_function<std::string>(
               shortFlag(key) + flag, [this, key](const std::string& value) { set(key, value); },
               help)
            ->type_name("");
    }
  }

  void set(const std::string& key, const std::string& value) {
    Status status = setOption(input_.options, key, value);
    if (!status && !optionError_)
      optionError_ = status.error();
  }

  int execute(Entry& entry, const SplitArguments& split) {
    input_.words = entry.app->remaining();
    if (!input_.words.empty() && input_.words[0].starts_with('-'))
      return unknownOption(entry, input_.words[0]);
    if (entry.command->takesProgram() && !split.hasRest)
      warnOfLateOptions(entry);
    input_.rest = split.rest;
    input_.hasRest = split.hasRest;
    if (split.hasRest && std::string(entry.command->name()) != "replay")
      mergeRest();
    setMemoryLimit(memoryBudget(input_.options, entry.command->mostMemory()));
    return entry.command->execute(input_);
  }

  /// Options behind the program are the program's, also those that the user may have meant for us.
  void warnOfLateOptions(const Entry& entry) {
    for (size_t i = 1; i < input_.words.size(); ++i) {
      std::string name = input_.words[i].substr(0, input_.words[i].find('='));
      if (!name.starts_with("--") || !entry.app->get_option_no_throw(name))
        continue;
      printWarning(name + " stands behind the program and is passed on to it; options of heddle "
                          "stand before the program, and `--` before the program says that what "
                          "follows is its own");
      return;
    }
  }

  /// "check -- ./prog a" and "check ./prog -- a" both name a program with its arguments.
  void mergeRest() {
    if (!input_.words.empty())
      input_.words.push_back("--");
    input_.words.insert(input_.words.end(), input_.rest.begin(), input_.rest.end());
  }

  int unknownOption(const Entry& entry, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::Option* option : entry.app->get_options())
      for (const std::string& name : option->get_lnames())
        known.push_back("--" + name);
    std::string near = didYouMean(word.substr(0, word.find('=')), known);
    return printError({"unknown option " + word +
                           (near.empty() ? std::string("; `heddle ") + entry.command->name() +
                                               " --help` lists the options"
                                         : "; did you mean " + near + "?"),
                       ErrorKind::Usage});
  }

  int noCommand() {
    std::vector<std::string> words = app_.remaining();
    if (words.empty() || words[0] == "help")
      return help(words);
    if (words[0] == "version") {
      putText(stdout, fmt::format("heddle {}\n", HEDDLE_VERSION));
      return kExitNothingFound;
    }
    std::vector<std::string> known;
    for (const Entry& entry : entries_)
      known.emplace_back(entry.command->name());
    std::string near = didYouMean(words[0], known);
    std::string text = "unknown command '" + words[0] + "'";
    if (!near.empty())
      text += "; did you mean '" + near + "'?";
    else
      text += "; `heddle help` lists the commands";
    return printError({text, ErrorKind::Usage});
  }

  int help(const std::vector<std::string>& words) {
    if (words.size() > 1) {
      for (const Entry& entry : entries_)
        if (words[1] == entry.command->name()) {
          putText(stdout, entry.app->help());
          return kExitNothingFound;
        }
      for (const OptionFacts& facts : optionList())
        putText(stdout, fmt::format("  {:16} {}{}\n", facts.key, facts.help,
                                    facts.initial.empty() ? "" : " [" + facts.initial + "]"));
      return kExitNothingFound;
    }
    putText(stdout, app_.help());
    return words.empty() ? kExitUsage : kExitNothingFound;
  }

  CLI::App app_;
  Command::Input input_;
  std::optional<Error> optionError_;
  std::vector<Entry> entries_;
};

} // namespace
} // namespace heddle

int main(int argc, char** argv) {
  heddle::installInterruptHandlers();
  return heddle::CommandLine().run(argc, argv);
}
