#include "synth/program/link_words.h"

#include "synth/program/program_build.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace heddle::synth {
namespace {

bool isOneOf(std::initializer_list<std::string_view> list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool startsWithOneOf(std::initializer_list<std::string_view> list, std::string_view word) {
  return std::ranges::any_of(list, [&](std::string_view one) { return word.starts_with(one); });
}

/// Options with a value after them that say nothing to a linker.
bool isCompileOptionWithValue(std::string_view word) {
  return isOneOf({"-o",
                  "-x",
                  "-I",
                  "-isystem",
                  "-iquote",
                  "-idirafter",
                  "-include",
                  "-imacros",
                  "-D",
                  "-U",
                  "-MF",
                  "-MT",
                  "-MQ",
                  "-MJ",
                  "-Xclang",
                  "-mllvm",
                  "--output",
                  "--param",
                  "-Xpreprocessor",
                  "-Xassembler"},
                 word);
}

bool isLinkOptionWithValue(std::string_view word) {
  return isOneOf({"-Xlinker", "-u", "-z", "-e", "-T", "-B", "-rpath", "-target", "--sysroot"},
                 word);
}

bool isLinkOption(std::string_view word) {
  return startsWithOneOf({"-l", "-Wl,", "-fuse-ld=", "-fopenmp", "-pthread", "-static-lib",
                          "-rdynamic", "-nostd", "-nodefault", "-stdlib=", "--sysroot=", "-rtlib=",
                          "--target=", "-no-pie", "-pie", "-nopie", "-ld"},
                         word);
}

class Sorter {
public:
  explicit Sorter(const BuildRecord& record) : record_(record) {}

  LinkWords sort() {
    const std::vector<std::string>& words = record_.arguments;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      bool hasNext = i + 1 < words.size();
      if (isCompileOptionWithValue(word)) {
        ++i;
      } else if (word == "-L" && hasNext) {
        words_.others.push_back("-L" + absolute(words[++i]));
      } else if (isLinkOptionWithValue(word) && hasNext) {
        words_.others.push_back(word);
        words_.others.push_back(words[++i]);
      } else if (word.starts_with("-L")) {
        words_.others.push_back("-L" + absolute(word.substr(2)));
      } else if (word.empty() || word[0] == '-') {
        if (isLinkOption(word))
          words_.others.push_back(word);
      } else {
        addFile(absolute(word));
      }
    }
    return std::move(words_);
  }

private:
  std::string absolute(const std::string& path) const {
    return absolutePath(record_.directory, path);
  }

  void addFile(const std::string& path) {
    if (isSourceName(path)) {
      words_.sources.push_back(path);
      return;
    }
    auto build = readBuild(path);
    bool compiled = build && !build->units.empty();
    bool isShared =
        std::filesystem::path(path).filename().string().find(".so") != std::string::npos;
    if (compiled && !isShared) {
      words_.objects.push_back(path);
      return;
    }
    words_.others.push_back(path);
    if (compiled)
      words_.libraries.push_back(path);
  }

  const BuildRecord& record_;
  LinkWords words_;
};

} // namespace

bool isSourceName(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  return isOneOf(
      {".c", ".cc", ".cp", ".cpp", ".cxx", ".C", ".c++", ".CPP", ".i", ".ii", ".bc", ".ll"},
      extension);
}

LinkWords sortLink(const BuildRecord& record) { return Sorter(record).sort(); }

} // namespace heddle::synth
