#include "control/unseen_functions.h"

#include "control/mapped_file.h"
#include "model/name_hash.h"
#include "model/site_table.h"

#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace heddle {
namespace {

constexpr std::string_view kRuntimeSection = "heddle_text";

/// What start files, the part of libc that is always linked statically, and GoogleTest outside of
/// its namespace call theirs.
constexpr std::string_view kLinkedIn[] = {"deregister_tm_clones",
                                          "register_tm_clones",
                                          "frame_dummy",
                                          "atexit",
                                          "at_quick_exit",
                                          "pthread_atfork",
                                          "stat",
                                          "fstat",
                                          "lstat",
                                          "fstatat",
                                          "mknod",
                                          "mknodat",
                                          "DeleteThreadLocalValue",
                                          "ThreadFuncWithCLinkage"};

constexpr std::string_view kInitGoogleTest = "_ZN7testing14InitGoogleTestEPiPPc";

/// Names of the C++ library ("St" and its other abbreviations in the mangling), of what the
/// compiler makes (thunks, initializers of thread-locals), of what the runtime has outside its
/// section, and of GoogleTest, which only calls the tests.
constexpr std::string_view kStandard[] = {"St", "Sa", "Ss",  "Sb",      "Si",      "So",
                                          "Sd", "T",  "GTt", "6heddle", "7testing"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Sections and symbols of one file.
class Symbols {
public:
  Symbols(const MappedFile& file, const Elf64_Ehdr& header)
      : file_(file), sections_(file.table<Elf64_Shdr>(header.e_shoff, header.e_shnum)) {
    if (header.e_shstrndx < sections_.size())
      names_ = contents(sections_[header.e_shstrndx]);
  }

  /// The names that the pass has left.
  std::set<std::string_view> seen() const {
    std::set<std::string_view> names;
    for (const Elf64_Shdr& section : sections_) {
      if (textAt(names_, section.sh_name) != kSeenSection)
        continue;
      std::string_view rest = contents(section);
      while (!rest.empty()) {
        std::string_view name = rest.substr(0, rest.find('\0'));
        names.insert(name);
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      }
    }
    return names;
  }

  /// Functions by address: aliases are names of one.
  std::map<uint64_t, std::vector<std::string_view>> functions() const {
    std::map<uint64_t, std::vector<std::string_view>> found;
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections_.size())
        continue;
      std::string_view names = contents(sections_[section.sh_link]);
      for (const Elf64_Sym& symbol :
           file_.table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym)))
        if (isProgramFunction(symbol))
          found[symbol.st_value].push_back(textAt(names, symbol.st_name));
    }
    return found;
  }

private:
  std::string_view contents(const Elf64_Shdr& section) const {
    return section.sh_type == SHT_NOBITS ? std::string_view()
                                         : file_.slice(section.sh_offset, section.sh_size);
  }

  bool isProgramFunction(const Elf64_Sym& symbol) const {
    return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size != 0 &&
           symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < sections_.size() &&
           textAt(names_, sections_[symbol.st_shndx].sh_name) != kRuntimeSection;
  }

  const MappedFile& file_;
  std::vector<Elf64_Shdr> sections_;
  std::string_view names_;
};

/// In the names of the pass's clones: one is left over where the linker prefers another copy.
constexpr std::string_view kCloneMark = ".hd.";

/// Clones of a function have its name and more after a dot.
bool isKnown(std::string_view name, const std::set<std::string_view>& seen,
             bool (*isException)(std::string_view)) {
  if (seen.count(name) || isException(name) || name.find(kCloneMark) != std::string_view::npos)
    return true;
  size_t dot = name.find('.', 1);
  return dot != std::string_view::npos && isKnown(name.substr(0, dot), seen, isException);
}

/// Calls `visit` with all names of each function, and whether the pass has seen it. Not at all when
/// nothing in the file was compiled with the pass.
template <typename Visit> void visitFunctions(const std::string& path, Visit visit) {
  auto file = MappedFile::open(path);
  Elf64_Ehdr header;
  if (!file || file->all().size() < sizeof(header))
    return;
  memcpy(&header, file->all().data(), sizeof(header));
  Symbols symbols(*file, header);
  std::set<std::string_view> seen = symbols.seen();
  if (seen.empty())
    return;
  for (const auto& [address, names] : symbols.functions())
    visit(names, std::any_of(names.begin(), names.end(), [&](std::string_view name) {
            return isKnown(name, seen, isOfImplementation);
          }));
}

/// What is in every program: start files, the runtime, and what the compiler makes of the program's
/// own functions and thread-locals.
bool isInEveryProgram(std::string_view name) {
  if (name.starts_with("_Z"))
    return name.starts_with("_ZN6heddle") || name.starts_with("_ZNK6heddle") ||
           name.starts_with("_ZT") || name.starts_with("_ZGTt");
  return isOfImplementation(name);
}

} // namespace

bool isOfImplementation(std::string_view name) {
  if (std::find(std::begin(kLinkedIn), std::end(kLinkedIn), name) != std::end(kLinkedIn))
    return true;
  if (!name.starts_with("_Z"))
    return name.starts_with('_') || name.starts_with("heddle") || name.empty();
  name.remove_prefix(2);
  while (name.starts_with('Z')) // something local of a function: the function counts
    name.remove_prefix(1);
  if (name.starts_with('N'))
    name.remove_prefix(std::min(name.find_first_not_of("NrVK"), name.size()));
  if (std::any_of(std::begin(kStandard), std::end(kStandard),
                  [&](std::string_view prefix) { return name.starts_with(prefix); }))
    return true;
  size_t digits = 0;
  while (digits < name.size() && isDigit(name[digits]))
    ++digits;
  return digits != 0 && name.substr(digits).starts_with("__");
}

std::vector<std::string> unseenFunctions(const std::string& path) {
  std::set<std::string> unseen;
  bool googleTest = false;
  visitFunctions(path, [&](const std::vector<std::string_view>& names, bool isSeen) {
    googleTest |= names.front() == kInitGoogleTest;
    if (!isSeen)
      unseen.emplace(names.front());
  });
  if (googleTest && unseen == std::set<std::string>{"main"}) // of libgtest_main
    unseen.clear();
  return {unseen.begin(), unseen.end()};
}

static std::vector<uint64_t> readUnseenNames(const std::string& path) {
  std::set<uint64_t> hashes;
  visitFunctions(path, [&](const std::vector<std::string_view>& names, bool isSeen) {
    for (std::string_view name : names)
      if (!isSeen)
        hashes.insert(nameHash(std::string(name).c_str()));
  });
  return {hashes.begin(), hashes.end()};
}

std::vector<uint64_t> unseenNames(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, int64_t>, std::vector<uint64_t>> known;
  struct stat facts = {};
  stat(path.c_str(), &facts);
  std::lock_guard lock(mutex);
  auto [entry, isNew] =
      known.try_emplace({path, facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec});
  if (isNew)
    entry->second = readUnseenNames(path);
  return entry->second;
}

bool hasUnseenCode(const std::string& path) {
  auto file = MappedFile::open(path);
  Elf64_Ehdr header;
  if (!file || file->all().size() < sizeof(header))
    return true;
  memcpy(&header, file->all().data(), sizeof(header));
  Symbols symbols(*file, header);
  std::set<std::string_view> seen = symbols.seen();
  auto functions = symbols.functions();
  auto isUnseen = [&](const auto& function) {
    return std::none_of(function.second.begin(), function.second.end(), [&](std::string_view name) {
      return isKnown(name, seen, isInEveryProgram);
    });
  };
  return functions.empty() || std::any_of(functions.begin(), functions.end(), isUnseen);
}

} // namespace heddle
