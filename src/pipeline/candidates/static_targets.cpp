#include "pipeline/candidates/static_targets.h"

#include "control/memory_limit.h"
#include "control/unseen_functions.h"
#include "static/analysis.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>

namespace heddle {
namespace {

constexpr double kShare = 0.1; ///< of the time that is left
constexpr double kLeastSeconds = 1;
constexpr double kMaxSeconds = 30;
/// The runtime, and code, debug information and bitcode of some ten thousand instructions.
constexpr uintmax_t kSmallExecutable = uintmax_t{4} << 20;

std::shared_ptr<const StaticTargets> analyzeExecutable(const CommandContext& context) {
  auto targets = std::make_shared<StaticTargets>();
  auto start = std::chrono::steady_clock::now();
  auto loaded = analysis::loadProgram({context.program().executable});
  if (!loaded) {
    targets->problem = loaded.error().message;
    return targets;
  }
  analysis::AnalysisOptions options;
  options.seconds = std::clamp(context.budget.secondsLeft().value_or(kMaxSeconds / kShare) * kShare,
                               kLeastSeconds, kMaxSeconds);
  options.localSites =
      context.options().local_sites && !hasUnseenCode(context.program().executable);
  options.memory = memoryLimit() >> 20;
  options.mustStop = [&] { return context.budget.mustEnd(); };
  options.progress = [&](const std::string& what) {
    context.showProgress({.stage = "static analysis: " + what});
  };
  auto report = analysis::analyze(*loaded, options);
  if (!report) {
    targets->problem = report.error().message;
    return targets;
  }
  for (SiteIdentity site : report->localSites)
    targets->localSites.push_back(raw(site));
  // Of each race one pair first, then those that the same two calls make besides.
  for (analysis::StaticRace& race : report->races)
    targets->candidates.push_back(std::move(race.candidates[0]));
  for (analysis::StaticRace& race : report->races)
    for (size_t i = 1; i < race.candidates.size(); ++i)
      targets->candidates.push_back(std::move(race.candidates[i]));
  targets->seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return targets;
}

} // namespace

std::shared_ptr<const StaticTargets> staticTargets(const CommandContext& context) {
  // The tests of one program are commands of their own.
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const StaticTargets>> known;
  std::lock_guard guard(mutex);
  auto& entry = known[context.program().buildId];
  if (!entry)
    entry = analyzeExecutable(context);
  return entry;
}

bool isQuicklyAnalysed(const Program& program) {
  std::error_code failed;
  uintmax_t bytes = std::filesystem::file_size(program.executable, failed);
  return !failed && bytes <= kSmallExecutable;
}

} // namespace heddle
