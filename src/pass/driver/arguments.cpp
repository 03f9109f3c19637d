#include "arguments.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace heddle::driver {
namespace {

template <size_t N> bool contains(const std::string_view (&list)[N], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

// Options whose value is the next argument, which is then no input file.
constexpr std::string_view kSeparateValue[] = {
    "-o",
    "-x",
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-iprefix",
    "-iwithprefix",
    "-isysroot",
    "--sysroot",
    "-D",
    "-U",
    "-L",
    "-T",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-mllvm",
    "-target",
    "-arch",
    "-u",
    "-z",
    "-e",
    "-B",
    "-F",
    "-framework",
    "--param",
    "-rpath",
    "-aux-info",
    "-Xanalyzer",
    "-iframework",
    "--output",
    "--language",
    "--include",
    "-cxx-isystem",
    "-Xopenmp-target",
    "-include-pch",
    "-ivfsoverlay",
    "-working-directory",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-dumpdir",
    "-main-file-name",
    "-undefined",
    "-A",
};

// Options that end the work before an executable is linked.
constexpr std::string_view kNoLink[] = {
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--precompile",
    "-emit-ast",
    "--analyze",
    "--compile",
    "--assemble",
    "--preprocess",
    "-shared",
    "--shared",
    "-r",
    "--relocatable",
    "-dynamiclib",
    "-Wl,-r",
    "-Wl,-shared",
    "-Wl,--relocatable",
    "--dependencies",
    "--user-dependencies",
};

constexpr std::string_view kQueries[] = {
    "--version",     "-dumpversion", "-dumpmachine",   "-dumpspecs", "--help",
    "--help-hidden", "-help",        "--autocomplete", "-version",
};

bool isQuery(std::string_view argument) {
  return contains(kQueries, argument) || argument.starts_with("-print-") ||
         argument.starts_with("--print-");
}

bool isDebugOption(std::string_view argument) {
  return argument == "-g" || argument == "--debug" || argument.starts_with("-ggdb") ||
         argument.starts_with("-gdwarf") || argument == "-g1" || argument == "-g2" ||
         argument == "-g3" || argument == "-gmlt" || argument == "-gline-tables-only" ||
         argument == "-gfull" || argument == "-gsplit-dwarf";
}

/// Sanitizers whose runtime takes over functions that heddle's takes over, too. (That of
/// -fsanitize=undefined does not.)
constexpr std::string_view kRivals[] = {
    "thread", "address", "hwaddress", "memory", "leak", "dataflow", "realtime",
};

/// Calls `visit` for each name of a list with commas.
template <typename Visit> void forEachName(std::string_view list, const Visit& visit) {
  while (!list.empty()) {
    size_t comma = std::min(list.find(','), list.size());
    visit(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

/// Collects what the order of the options decides.
class Examiner {
public:
  void visit(const std::string& argument) {
    if (argument.empty() || argument == "-" || argument[0] != '-') {
      result_.hasInput = true;
      return;
    }
    if (argument.starts_with("-l"))
      result_.hasInput = true;
    if (isQuery(argument))
      query_ = true;
    if (contains(kNoLink, argument))
      noLink_ = true;
    if (isDebugOption(argument))
      result_.debugInfo = true;
    if (argument == "-g0" || argument == "-ggdb0")
      result_.debugInfo = false;
    visitSanitizer(argument);
    visitTarget(argument);
  }

  void visitTarget(std::string_view argument) {
    if (argument == "-static" || argument == "--static" || argument == "-static-pie")
      static_ = argument;
    if (argument == "-m32" || argument == "-mx32")
      otherTarget_ = argument;
    if (argument.starts_with("--target=") && !argument.starts_with("--target=x86_64"))
      otherTarget_ = argument;
  }

  Invocation finish() {
    if (query_)
      result_.hasInput = false;
    result_.links = result_.hasInput && !noLink_;
    if (result_.hasInput)
      result_.refusal = refusal();
    return result_;
  }

private:
  void visitSanitizer(std::string_view argument) {
    constexpr std::string_view kOn = "-fsanitize=";
    constexpr std::string_view kOff = "-fno-sanitize=";
    if (argument.starts_with(kOn))
      forEachName(argument.substr(kOn.size()), [&](std::string_view name) {
        if (contains(kRivals, name))
          rivals_.emplace(name);
      });
    if (argument.starts_with(kOff))
      forEachName(argument.substr(kOff.size()), [&](std::string_view name) {
        if (name == "all")
          rivals_.clear();
        rivals_.erase(std::string(name));
      });
  }

  std::string refusal() const {
    if (rivals_.contains("thread"))
      return "-fsanitize=thread cannot be combined with heddle, because both take over the "
             "program's threads; leave it out, or use clang-19 itself for a ThreadSanitizer build";
    if (!rivals_.empty())
      return "-fsanitize=" + *rivals_.begin() +
             " cannot be combined with heddle, because both take over the program's memory and "
             "signals; leave it out (heddle itself reports use after free and invalid frees), or "
             "use clang-19 itself for a sanitizer build";
    if (!static_.empty() && result_.links)
      return "a fully static executable (" + static_ +
             ") cannot be run by heddle, because the runtime finds the C library's functions "
             "through the dynamic linker; leave " +
             static_ + " out (-static-libstdc++ and -static-libgcc are fine)";
    if (!otherTarget_.empty())
      return otherTarget_ + " is not supported, because heddle's runtime is for x86-64 Linux only";
    return "";
  }

  Invocation result_;
  bool query_ = false;
  bool noLink_ = false;
  std::set<std::string> rivals_;
  std::string static_;
  std::string otherTarget_;
};

} // namespace

Invocation examine(const std::vector<std::string>& arguments) {
  Examiner examiner;
  bool onlyInputs = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (onlyInputs) {
      examiner.visit("input");
    } else if (argument == "--") {
      onlyInputs = true;
    } else if (contains(kSeparateValue, argument)) {
      ++i;
    } else {
      examiner.visit(argument);
    }
  }
  return examiner.finish();
}

} // namespace heddle::driver
