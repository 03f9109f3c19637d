#include "resources.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace heddle::driver {
namespace fs = std::filesystem;

namespace {

bool isExecutable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::string searchPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::stringstream directories(path ? path : "");
  std::string directory;
  while (std::getline(directories, directory, ':')) {
    fs::path candidate = fs::path(directory.empty() ? "." : directory) / name;
    if (isExecutable(candidate))
      return candidate.string();
  }
  return "";
}

} // namespace

Resources findResources() {
  std::error_code error;
  fs::path root = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  fs::path library = root / "lib" / "heddle";
  return {(library / "heddle_pass.so").string(), (library / "heddle_rt.o").string(),
          (library / "heddle_names.o").string(), (library / "heddle.dynlist").string(),
          (root / "include").string()};
}

std::string findClang(bool cPlusPlus) {
  if (const char* directory = std::getenv("HEDDLE_CLANG_DIR"); directory && *directory) {
    fs::path candidate = fs::path(directory) / (cPlusPlus ? "clang++" : "clang");
    return isExecutable(candidate) ? candidate.string() : "";
  }
  if (std::string found = searchPath(cPlusPlus ? "clang++-19" : "clang-19"); !found.empty())
    return found;
  fs::path debian = fs::path("/usr/lib/llvm-19/bin") / (cPlusPlus ? "clang++" : "clang");
  return isExecutable(debian) ? debian.string() : "";
}

} // namespace heddle::driver
