#include "pipeline/commands/exporting.h"

#include "control/elf_file.h"
#include "store/bundle.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

namespace heddle {
namespace {

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The executable and its instrumented libraries: others come with the other machine's system.
void addFiles(Bundle& bundle, std::vector<std::string>& warnings) {
  for (const ModuleBuild& module : bundle.finding.run.modules) {
    auto facts = readElf(module.path);
    bool executable = &module == &bundle.finding.run.modules.front();
    if (facts && !facts->instrumented && !executable)
      continue;
    if (!facts || facts->buildId != module.buildId) {
      warnings.push_back(module.path + " is not what was recorded (built anew or gone); the file "
                                       "will not contain it");
      continue;
    }
    bundle.files.push_back({module.path, 0755, readFile(module.path)});
  }
}

} // namespace

bool looksSecret(const std::string& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(), ::toupper);
  for (std::string_view mark : {"TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY",
                                "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "AUTH"})
    if (upper.find(mark) != std::string::npos)
      return true;
  return false;
}

Result<ExportedFile> exportFinding(const std::string& storeDirectory, const std::string& id,
                                   const std::string& path, bool withProgram) {
  auto store = Store::open(storeDirectory, Store::Access::ReadOnly);
  if (!store)
    return store.error();
  auto stored = store->finding(id);
  if (!stored)
    return stored.error();
  auto name = store->nameOf(stored->finding.id, programOf(stored->run));
  if (!name)
    return name.error();
  std::replace(name->begin(), name->end(), '/', '-'); // it becomes a file here
  ExportedFile result;
  Bundle bundle;
  bundle.finding = std::move(*stored);
  if (!bundle.finding.run.pointsId.empty()) {
    auto points = store->points(bundle.finding.run.pointsId);
    if (!points)
      return points.error();
    bundle.points = std::move(*points);
  }
  for (auto& [name, value] : bundle.finding.run.env)
    if (looksSecret(name)) {
      std::fill(value.begin(), value.end(), 'x');
      result.warnings.push_back("the value of " + name + " was masked: it looks like a secret");
    }
  if (withProgram)
    addFiles(bundle, result.warnings);
  result.path = path.empty() ? *name + ".heddle" : path;
  std::ofstream file(result.path, std::ios::binary);
  std::string bytes = packBundle(bundle);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (!file)
    return Error{"cannot write " + result.path + ": " + strerror(errno), ErrorKind::Environment};
  return result;
}

} // namespace heddle
