#include "pipeline/commands/replay_target.h"

#include "control/elf_file.h"
#include "model/shell_words.h"
#include "pipeline/judging/stored_run.h"
#include "store/bundle.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle {
namespace {

/// Without the recorded set the sites of the decisions themselves are enough to follow them.
std::vector<uint64_t> sitesOf(const Schedule& schedule) {
  std::vector<uint64_t> sites;
  for (const Decision& decision : schedule.decisions)
    sites.push_back(raw(decision.site));
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  return sites;
}

std::vector<uint64_t> rawSites(const PointsSet& set) {
  std::vector<uint64_t> sites;
  for (SiteIdentity site : set.sites)
    sites.push_back(raw(site));
  return sites;
}

void useDecisionSites(ReplayTarget& target) {
  target.sites = sitesOf(target.schedule);
  if (target.schedule.digest != 0 && target.schedule.points == PointSet::Listed) {
    // The digest covers the listed sites: with another list it cannot be compared.
    target.schedule.digest = 0;
    const std::string& name = target.schedule.pointsName;
    target.warnings.push_back(
        "the recorded set of scheduling points " +
        (name.empty() ? std::string("was not kept") : name + " is not in the store") +
        "; the trace digest is not compared");
  }
}

Result<Program> locateStored(const StoredRun& run) {
  if (run.argv.empty() || run.modules.empty())
    return Error{"the stored run does not say which program it is of", ErrorKind::Usage};
  std::vector<std::string> words = run.argv;
  words[0] = run.modules[0].path;
  auto program = locateProgram(words);
  if (!program)
    return program.error();
  program->arguments = run.argv;
  std::error_code ignored;
  if (std::filesystem::is_directory(run.cwd, ignored))
    program->directory = run.cwd;
  program->environment.clear();
  for (const auto& [name, value] : run.env)
    program->environment.push_back(name + "=" + value);
  program->input = run.input;
  for (const auto& [key, value] : run.settings)
    program->hasInput |= key == "input" && value == "copy";
  return program;
}

void checkBuild(const StoredRun& run, const Program& program, ReplayTarget& target) {
  target.rebuilt = !run.modules.empty() && run.modules[0].buildId != program.buildId;
  if (target.rebuilt)
    target.warnings.push_back(program.executable +
                              " was built anew since the run was recorded; the schedule may not "
                              "fit any more (whether a fix works is what `heddle check` says)");
  if (run.heddleVersion != HEDDLE_VERSION)
    target.warnings.push_back("the run was recorded by heddle " + run.heddleVersion +
                              ", this is " HEDDLE_VERSION);
}

Result<ReplayTarget> fromStored(const StoredFinding& stored, const std::optional<PointsSet>& points,
                                const std::vector<std::string>& programWords,
                                const std::vector<std::string>& environment) {
  ReplayTarget target;
  if (stored.finding.schedule.empty())
    return Error{"the finding " + stored.finding.id +
                     " has no schedule: no run has shown it, so there is nothing to run again",
                 ErrorKind::Usage};
  auto schedule = parseSchedule(stored.finding.schedule);
  if (!schedule)
    return schedule.error();
  target.schedule = std::move(*schedule);
  target.finding = stored.finding;
  auto program = programWords.empty() ? locateStored(stored.run) : locateProgram(programWords);
  if (!program)
    return program.error();
  if (!environment.empty())
    program->environment = chooseEnvironment(program->environment, environment);
  checkBuild(stored.run, *program, target);
  if (points)
    target.sites = rawSites(*points);
  else
    useDecisionSites(target);
  target.program = std::make_shared<const Program>(std::move(*program));
  return target;
}

bool sameFile(const ModuleBuild& module) {
  auto facts = readElf(module.path);
  return facts && facts->buildId == module.buildId;
}

/// Writes the files of a bundle into a folder that lives as long as the target.
Result<std::shared_ptr<UnpackedFiles>> unpackFiles(const Bundle& bundle) {
  auto unpacked = std::make_shared<UnpackedFiles>();
  std::string pattern = (std::filesystem::temp_directory_path() / "heddle-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    return Error{"cannot create a temporary directory (" + pattern + "): " + strerror(errno),
                 ErrorKind::Environment};
  unpacked->folder = pattern;
  for (const BundleFile& file : bundle.files) {
    // Only the name: a path from another machine must not lead out of the folder.
    auto path = std::filesystem::path(pattern) / std::filesystem::path(file.path).filename();
    std::ofstream out(path, std::ios::binary);
    out.write(file.contents.data(), static_cast<std::streamsize>(file.contents.size()));
    out.close();
    if (!out || chmod(path.c_str(), 0755) != 0)
      return Error{"cannot unpack " + path.string() + ": " + strerror(errno),
                   ErrorKind::Environment};
  }
  return unpacked;
}

Result<ReplayTarget> fromBundle(const Bundle& bundle, const std::vector<std::string>& programWords,
                                const std::vector<std::string>& environment) {
  StoredFinding stored = bundle.finding;
  std::shared_ptr<UnpackedFiles> unpacked;
  std::vector<std::string> added = environment;
  bool here = !stored.run.modules.empty() && sameFile(stored.run.modules[0]);
  if (!here && programWords.empty() && !bundle.files.empty()) {
    auto files = unpackFiles(bundle);
    if (!files)
      return files.error();
    unpacked = *files;
    for (ModuleBuild& module : stored.run.modules) {
      auto path =
          std::filesystem::path(unpacked->folder) / std::filesystem::path(module.path).filename();
      if (std::filesystem::exists(path))
        module.path = path.string();
    }
    if (bundle.files.size() > 1)
      added.push_back("LD_LIBRARY_PATH=" + unpacked->folder);
  }
  auto target = fromStored(stored, bundle.points, programWords, added);
  if (target)
    target->files = unpacked;
  return target;
}

Result<ReplayTarget> fromText(const std::vector<std::string>& words, const std::string& directory,
                              const std::vector<std::string>& environment) {
  auto schedule = parseSchedule(words[0]);
  if (!schedule)
    return schedule.error();
  if (words.size() < 2)
    return Error{"a schedule needs its program: heddle replay SCHEDULE ./prog [arguments]",
                 ErrorKind::Usage};
  auto program = locateProgram({words.begin() + 1, words.end()});
  if (!program)
    return program.error();
  program->environment = chooseEnvironment(ownEnvironment(), environment);
  ReplayTarget target;
  target.schedule = std::move(*schedule);
  target.program = std::make_shared<const Program>(std::move(*program));
  if (!target.schedule.pointsName.empty())
    if (auto store = Store::open(directory, Store::Access::ReadOnly))
      if (auto points = store->points(target.schedule.pointsName)) {
        target.sites = rawSites(*points);
        return target;
      }
  useDecisionSites(target);
  return target;
}

/// The file of the newest trace of a finding; a missing one only makes a message shorter.
std::string keptTrace(const Store& store, const std::string& findingId,
                      const std::string& program) {
  auto traces = store.traces();
  if (!traces)
    return {};
  std::string id;
  for (const StoredTrace& trace : *traces)
    if (trace.finding == findingId && trace.program == program)
      id = trace.id;
  auto path = id.empty() ? Result<std::string>(std::string()) : store.tracePath(id);
  return path ? *path : std::string();
}

/// The finding that the first word names; a program behind it says which, where several have it.
Result<StoredFinding> storedFinding(const Store& store, const std::vector<std::string>& words) {
  if (words.size() > 1) {
    auto path = std::filesystem::absolute(words[1]).lexically_normal();
    if (auto ofProgram = store.finding(words[0] + "@" + path.string()))
      return ofProgram;
  }
  return store.finding(words[0]);
}

Result<ReplayTarget> fromStore(const std::vector<std::string>& words, const std::string& directory,
                               const std::vector<std::string>& environment) {
  auto store = Store::open(directory, Store::Access::ReadOnly);
  if (!store)
    return store.error();
  auto stored = storedFinding(*store, words);
  if (!stored)
    return stored.error();
  std::optional<PointsSet> points;
  if (!stored->run.pointsId.empty())
    if (auto set = store->points(stored->run.pointsId))
      points = std::move(*set);
  auto target = fromStored(*stored, points, {words.begin() + 1, words.end()}, environment);
  if (target)
    target->trace = keptTrace(*store, stored->finding.id, programOf(stored->run));
  return target;
}

std::optional<std::string> readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What the words mean, which the first one shows.
Result<ReplayTarget> findKind(const std::vector<std::string>& words,
                              const std::string& storeDirectory,
                              const std::vector<std::string>& environment) {
  if (looksLikeSchedule(words[0]))
    return fromText(words, storeDirectory, environment);
  auto contents = readFile(words[0]);
  if (contents && looksLikeBundle(*contents)) {
    auto bundle = unpackBundle(*contents);
    if (!bundle)
      return Error{words[0] + ": " + bundle.error().message, bundle.error().kind};
    return fromBundle(*bundle, {words.begin() + 1, words.end()}, environment);
  }
  if (contents && looksLikeSchedule(*contents)) {
    std::vector<std::string> inlined = words;
    inlined[0] = *contents;
    return fromText(inlined, storeDirectory, environment);
  }
  return fromStore(words, storeDirectory, environment);
}

std::string commandText(const std::vector<std::string>& words, const std::string& storeDirectory) {
  std::string text = "heddle replay" + storeOption(storeDirectory);
  for (const std::string& word : words)
    text += shellQuoted(word) + " ";
  text.pop_back();
  return text;
}

} // namespace

UnpackedFiles::~UnpackedFiles() {
  std::error_code ignored;
  if (!folder.empty())
    std::filesystem::remove_all(folder, ignored);
}

Result<ReplayTarget> findReplayTarget(const std::vector<std::string>& words,
                                      const std::string& storeDirectory,
                                      const std::vector<std::string>& environment) {
  auto target = findKind(words, storeDirectory, environment);
  if (target)
    target->command = commandText(words, storeDirectory);
  return target;
}

} // namespace heddle
