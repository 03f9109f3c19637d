#include "static/analysis.h"

#include "static/access_pairs.h"
#include "static/explanation.h"
#include "static/harness.h"
#include "static/local_sites.h"
#include "static/race_findings.h"
#include "static/race_pairs.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle::analysis {
namespace {

/// Functions that run before the first one of the program, in their order, and that.
std::vector<const Function*> entriesOf(const Module& module, const Function& first) {
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
  entries.push_back(&first);
  return entries;
}

void say(const AnalysisOptions& options, const std::string& what) {
  if (options.progress)
    options.progress(what);
}

/// Solves with the wanted depth, or with the largest smaller one that the time allows.
std::unique_ptr<PointsTo> solve(const Module& module, const Function& first, Bodies& bodies,
                                const AnalysisOptions& options, AnalysisReport& report) {
  std::vector<const Function*> entries = entriesOf(module, first);
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

/// Where the program begins: its main, or the harness of an open one.
Result<const Function*> firstFunction(Module& module, const AnalysisOptions& options,
                                      AnalysisReport& report) {
  const Function* main = module.getFunction("main");
  if (main && hasBody(*main) && options.interface.empty())
    return main;
  ClassTable table(module);
  auto interface = chooseInterface(table, options.interface);
  if (!interface)
    return interface.error();
  report.warnings = interface->warnings;
  for (const ClassFacts* facts : interface->classes)
    report.interface.push_back(facts->name);
  for (const Function* function : interface->functions)
    report.interface.push_back(function->getSubprogram()->getName().str());
  return &addHarness(module, table, *interface);
}

/// What the user's file and the program's own attributes say.
Result<Annotations> readAnnotations(const Module& module, const AnalysisOptions& options) {
  Annotations annotations;
  if (!options.annotations.empty()) {
    auto read = Annotations::read(options.annotations);
    if (!read)
      return read;
    annotations = std::move(*read);
  }
  annotations.addFrom(module);
  if (Status status = annotations.check(module); !status)
    return status.error();
  return annotations;
}

} // namespace

Result<AnalysisReport> analyze(const Program& program, const AnalysisOptions& options) {
  const Module& module = program.module();
  AnalysisReport report;
  measure(program, report);
  auto first = firstFunction(program.module(), options, report);
  if (!first)
    return first.error();
  auto annotations = readAnnotations(module, options);
  if (!annotations)
    return annotations.error();
  Models models;
  Bodies bodies(module, models);
  auto pointsTo = solve(module, **first, bodies, options, report);
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
  Sites sites(module.getDataLayout(), models);
  Facts facts{module, graph,     *pointsTo,   threads, locks, handOvers,   parallel,
              escape, freshness, activations, sites,   paths, *annotations};
  RacePairs pairs(facts, options.everyPath);
  if (options.accessPairs)
    report.accessPairs = findAccessPairs(pairs, facts);
  if (!options.explainFile.empty())
    report.explanations = explainLine(pairs, facts, options.explainFile, options.explainLine);
  report.localSites = findLocalSites(*pointsTo, threads, sites);
  report.contexts = pointsTo->instances().size();
  report.threads = threads.all().size();
  report.stages = pairs.stages();
  report.races = describeRaces(pairs, facts, options);
  return report;
}

} // namespace heddle::analysis
