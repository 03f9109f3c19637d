#include "control/modules.h"

#include "control/elf_file.h"
#include "control/unseen_functions.h"
#include "model/known_libraries.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace heddle {
namespace {

std::string realPath(const std::string& path) {
  std::error_code failed;
  auto real = std::filesystem::canonical(path, failed);
  return failed ? path : real.string();
}

} // namespace

std::vector<std::string> codeFiles(const std::string& maps) {
  std::set<std::string> files;
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string range, access, offset, device, inode, path;
    fields >> range >> access >> offset >> device >> inode;
    std::getline(fields >> std::ws, path);
    if (path.starts_with('/') && access.find('x') != std::string::npos)
      files.insert(path);
  }
  return {files.begin(), files.end()};
}

std::vector<ProgramModule> readModules(pid_t process, const SiteCatalog& sites) {
  if (process <= 0)
    return {};
  std::string folder = "/proc/" + std::to_string(process);
  std::ifstream file(folder + "/maps");
  std::ostringstream text;
  text << file.rdbuf();
  std::string executable = realPath(folder + "/exe");
  std::set<std::string> instrumented;
  for (const SiteEntry& site : sites.entries())
    if (!site.module.empty())
      instrumented.insert(std::filesystem::path(realPath(site.module)).filename().string());
  std::vector<ProgramModule> modules;
  for (const std::string& path : codeFiles(text.str())) {
    ProgramModule module;
    module.path = path;
    if (auto facts = readElf(path))
      module.buildId = facts->buildId;
    module.instrumented = path == executable ||
                          instrumented.count(std::filesystem::path(path).filename().string()) != 0;
    module.modelled = isKnownLibrary(path.c_str());
    if (module.instrumented)
      module.unseenFunctions = unseenFunctions(path);
    modules.insert(path == executable ? modules.begin() : modules.end(), std::move(module));
  }
  return modules;
}

} // namespace heddle
