#include "synth/program/client_build.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace heddle::synth {
namespace fs = std::filesystem;

namespace {

void addOnce(std::vector<std::string>& list, const std::string& one) {
  if (std::ranges::find(list, one) == list.end())
    list.push_back(one);
}

bool isFrameworkHeader(const std::string& name) {
  return name.starts_with("gtest/") || name.starts_with("gmock/") || name.starts_with("catch2/") ||
         name == "catch.hpp";
}

/// C++20 or what is newer: generated tests use std::latch.
std::string standardFor(const std::string& option) {
  constexpr std::array newer = {"c++20",   "c++2a",   "gnu++20", "gnu++2a", "c++23", "c++2b",
                                "gnu++23", "gnu++2b", "c++2c",   "gnu++2c", "c++26"};
  std::string value = option.substr(option.find('=') + 1);
  if (std::ranges::find(newer, value) != newer.end())
    return option;
  return value.starts_with("gnu") ? "-std=gnu++20" : "-std=c++20";
}

class Learner {
public:
  explicit Learner(const Recording& recording) : recording_(recording) {}

  ClientBuild learn() {
    for (const SeedUnit& unit : recording_.trace.units)
      if (unit.hasTest)
        tests_.insert(fs::path(unit.path).lexically_normal().string());
    for (const BuildRecord& record : recording_.build.compiles)
      if (isTest(sourceOf(record)))
        addFlags(record);
    for (const std::string& path : tests_)
      addIncludes(path);
    addOwnTests();
    addLink();
    return std::move(build_);
  }

private:
  static std::string sourceOf(const BuildRecord& record) {
    return absolutePath(record.directory, record.source);
  }

  bool isTest(const std::string& path) const { return tests_.contains(path); }

  void addFlags(const BuildRecord& record) {
    const std::vector<std::string>& words = record.arguments;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      bool hasNext = i + 1 < words.size();
      if (word == "-I" && hasNext)
        addFolder(record, words[++i]);
      else if (word.starts_with("-I"))
        addFolder(record, word.substr(2));
      else if (isFolderOption(word) && hasNext)
        addPair(word, absolutePath(record.directory, words[++i]));
      else if ((word == "-D" || word == "-U") && hasNext)
        addOnce(build_.words.flags, word + words[++i]);
      else if (word.starts_with("-std="))
        addStandard(word);
      else if (isKept(word))
        addOnce(build_.words.flags, word);
      else if (word == "-include" && hasNext)
        addPair(word, absolutePath(record.directory, words[++i]));
    }
  }

  static bool isFolderOption(const std::string& word) {
    return word == "-isystem" || word == "-iquote" || word == "-idirafter";
  }

  static bool isKept(const std::string& word) {
    return word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-stdlib=") ||
           word == "-fno-exceptions" || word == "-fno-rtti" || word == "-fopenmp" ||
           word.starts_with("-march=") || word.starts_with("-mcx16") || word == "-fcoroutines" ||
           word == "-fchar8_t" || word == "-fno-char8_t" || word.starts_with("-fpack-struct");
  }

  void addFolder(const BuildRecord& record, const std::string& folder) {
    addOnce(build_.words.folders, absolutePath(record.directory, folder));
  }

  void addPair(const std::string& option, const std::string& path) {
    for (size_t i = 0; i + 1 < build_.words.flags.size(); ++i)
      if (build_.words.flags[i] == option && build_.words.flags[i + 1] == path)
        return;
    build_.words.flags.push_back(option);
    build_.words.flags.push_back(path);
  }

  void addStandard(const std::string& word) {
    std::string wanted = standardFor(word);
    if (wanted != word && !toldStandard_) {
      toldStandard_ = true;
      build_.warnings.push_back(
          "the tests are compiled as " + word.substr(5) + ", what is written here as " +
          wanted.substr(5) +
          "; before C++20 the members of std::string that change it are in libstdc++, where their "
          "accesses are not seen");
    }
    std::erase_if(build_.words.flags,
                  [](const std::string& one) { return one.starts_with("-std="); });
    build_.words.flags.push_back(wanted);
  }

  /// The #include lines of a test's file that no condition stands around.
  void addIncludes(const std::string& path) {
    std::ifstream file(path);
    addOnce(build_.words.folders, fs::path(path).parent_path().string());
    size_t depth = 0;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string first, second;
      words >> first >> second;
      if (first == "#") {
        first += second;
        words >> second;
      }
      if (first.starts_with("#if"))
        ++depth;
      else if (first.starts_with("#endif") && depth > 0)
        --depth;
      else if (depth == 0 && first.starts_with("#include"))
        addInclude(line);
    }
  }

  void addInclude(const std::string& line) {
    size_t begin = line.find_first_of("<\"");
    if (begin == std::string::npos)
      return;
    size_t end = line.find_first_of(">\"", begin + 1);
    if (end == std::string::npos)
      return;
    std::string name = line.substr(begin + 1, end - begin - 1);
    if (name.find("gtest") != std::string::npos && isFrameworkHeader(name))
      build_.framework = Framework::GoogleTest;
    else if (name.starts_with("catch2/") || name == "catch.hpp")
      build_.framework = Framework::Catch2;
    if (!isFrameworkHeader(name))
      addOnce(build_.includes, line.substr(begin, end - begin + 1));
  }

  /// Where classes of the library stand in a test's own file, generated files include it.
  void addOwnTests() {
    std::set<std::string> needed;
    for (const SeedEvent& event : recording_.trace.events) {
      if (event.kind != EventKind::Call)
        continue;
      std::string header =
          fs::path(recording_.trace.methods[raw(event.method)].header).lexically_normal().string();
      if (isTest(header))
        needed.insert(header);
    }
    for (const std::string& path : needed)
      build_.prelude += "#define main sequential_main\n#include \"" + path + "\"\n#undef main\n";
  }

  void addLink() {
    for (const std::string& source : recording_.link.sources)
      if (!isTest(source))
        build_.words.sources.push_back(source);
    for (const std::string& object : recording_.link.objects)
      if (!isTestObject(object))
        build_.words.libraries.push_back(object);
    for (const std::string& word : recording_.link.others)
      build_.words.libraries.push_back(word);
  }

  bool isTestObject(const std::string& object) const {
    auto build = readBuild(object);
    return build && std::ranges::any_of(build->compiles, [&](const BuildRecord& record) {
             return isTest(sourceOf(record));
           });
  }

  const Recording& recording_;
  ClientBuild build_;
  std::set<std::string> tests_;
  bool toldStandard_ = false;
};

} // namespace

ClientBuild learnBuild(const Recording& recording) { return Learner(recording).learn(); }

std::vector<std::string> compileWords(const TestBuild& build) {
  std::vector<std::string> words = build.flags;
  if (std::ranges::none_of(words, [](const std::string& one) { return one.starts_with("-std="); }))
    words.emplace_back("-std=c++20");
  for (const std::string& folder : build.folders)
    words.push_back("-I" + folder);
  return words;
}

} // namespace heddle::synth
