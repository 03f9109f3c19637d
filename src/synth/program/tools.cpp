#include "synth/program/tools.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace heddle::synth {
namespace fs = std::filesystem;

namespace {

bool isExecutable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// As the drivers look for it.
std::string findClang() {
  if (const char* directory = std::getenv("HEDDLE_CLANG_DIR"); directory && *directory) {
    fs::path candidate = fs::path(directory) / "clang++";
    return isExecutable(candidate) ? candidate.string() : "";
  }
  const char* path = std::getenv("PATH");
  std::stringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::path candidate = fs::path(folder.empty() ? "." : folder) / "clang++-19";
        isExecutable(candidate))
      return candidate.string();
  fs::path debian = "/usr/lib/llvm-19/bin/clang++";
  return isExecutable(debian) ? debian.string() : "";
}

} // namespace

Result<Tools> findTools() {
  std::error_code ignored;
  fs::path root = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  fs::path library = root / "lib" / "heddle";
  Tools tools;
  tools.clang = findClang();
  if (tools.clang.empty())
    return Error{"clang 19 is needed and was not found: install the package clang-19, or set "
                 "HEDDLE_CLANG_DIR to the directory that has its clang++",
                 ErrorKind::Environment};
  tools.heddle = (root / "bin" / "heddle").string();
  tools.compiler = (root / "bin" / "heddle-c++").string();
  tools.plugin = (library / "heddle_pass.so").string();
  tools.recorder = (library / "heddle_seed.o").string();
  tools.include = (root / "include").string();
  for (const std::string& file : {tools.compiler, tools.plugin, tools.recorder})
    if (!fs::exists(file, ignored))
      return Error{file + " is missing; it belongs beside this program: build or install heddle "
                          "again",
                   ErrorKind::Environment};
  return tools;
}

} // namespace heddle::synth
