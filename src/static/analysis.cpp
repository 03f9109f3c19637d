#include "static/analysis.h"

#include "static/race_findings.h"
#include "static/race_pairs.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle::analysis {
namespace {

/// Functions that run before main, in their order, and main.
std::vector<const Function*> entriesOf(const Module& module) {
  std::vector<const Function*> entries;
  auto* constructors = module.getNamedGlobal("llvm.global_ctors");
  auto* list = constructors && constructors->hasInitializer()
                   ? dyn_cast<ConstantArray>(constructors->getInitializer())
                   : nullptr;
  if (list)
    for (const Use& entry : list->operands())
      if (auto* record = dyn_cast<ConstantStruct>(entry))
        if (auto* function = dyn_cast<Function>(record->getOperand(1)->stripPointerCasts()))
          if (hasBody(*function))
            entries.push_back(function);
  if (const Function* main = module.getFunction("main"); main && hasBody(*main))
    entries.push_back(main);
  return entries;
}

void say(const AnalysisOptions& options, const std::string& what) {
  if (options.progress)
    options.progress(what);
}

/// Solves with the wanted depth, or with the largest smaller one that the time allows.
std::unique_ptr<PointsTo> solve(const Module& module, Bodies& bodies,
                                const AnalysisOptions& options, AnalysisReport& report) {
  std::vector<const Function*> entries = entriesOf(module);
  for (unsigned k = options.contextDepth;; --k) {
    PointsToOptions limits;
    limits.k = k;
    limits.seconds = k == 0 ? 0 : options.seconds;
    limits.progress = [&](size_t instances, size_t) {
      say(options, fmt::format("points-to, depth {}: {} functions in context", k, instances));
    };
    auto pointsTo = std::make_unique<PointsTo>(module, bodies, limits);
    if (pointsTo->solve(entries) || k == 0) {
      report.contextDepth = k;
      return pointsTo;
    }
    report.warnings.push_back(fmt::format(
        "contexts of depth {} took more than {:.0f} s: depth {} is used, with more false alarms", k,
        options.seconds, k - 1));
  }
}

void measure(const Program& program, AnalysisReport& report) {
  for (const LoadedFile& file : program.files())
    report.units += file.units;
  for (const Function& function : program.module())
    if (hasBody(function)) {
      ++report.functions;
      report.instructions += function.getInstructionCount();
    }
}

void listUnknown(const PointsTo& pointsTo, AnalysisReport& report) {
  for (const auto& [function, call] : pointsTo.unknown())
    report.unknown.push_back(function->getName().str());
  std::sort(report.unknown.begin(), report.unknown.end());
}

} // namespace

Result<AnalysisReport> analyze(const Program& program, const AnalysisOptions& options) {
  const Module& module = program.module();
  const Function* main = module.getFunction("main");
  if (!main || !hasBody(*main))
    return Error{"the files have no main\n  name the program, or all files of it", 1};
  AnalysisReport report;
  measure(program, report);
  Models models;
  Bodies bodies(module, models);
  auto pointsTo = solve(module, bodies, options, report);
  listUnknown(*pointsTo, report);
  say(options, "threads and locks");
  CallGraph graph(*pointsTo);
  Threads threads(graph);
  Parallel parallel(graph, threads);
  Paths paths(module.getDataLayout());
  Cells cells(models, module.getDataLayout());
  SpinLocks spinLocks(graph, cells);
  HandOvers handOvers(graph, threads, cells);
  Locks locks(graph, spinLocks, handOvers, paths);
  Escape escape(*pointsTo, threads);
  Freshness freshness(graph, escape, paths);
  Activations activations(graph, threads, locks, parallel, freshness);
  say(options, "pairs of accesses");
  Sites sites(module.getDataLayout());
  RacePairs pairs(graph, threads, locks, handOvers, parallel, escape, freshness, activations, sites,
                  paths, module);
  report.contexts = pointsTo->instances().size();
  report.threads = threads.all().size();
  report.stages = pairs.stages();
  report.races = describeRaces(pairs, {*pointsTo, threads, activations, sites});
  return report;
}

} // namespace heddle::analysis
