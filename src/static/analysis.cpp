#include "static/analysis.h"

#include "static/budget/meter.h"
#include "static/program/harness.h"
#include "static/program/openmp.h"
#include "static/races/access_pairs.h"
#include "static/races/explanation.h"
#include "static/races/race_findings.h"
#include "static/races/race_pairs.h"
#include "static/sharing/local_sites.h"

#include <fmt/format.h>

#include <malloc.h>

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

/// What does not depend on the depth of contexts.
struct Input {
  const Module& module;
  const std::set<std::string>& exported;
  const Function& first;
  const Models& models;
  const Annotations& annotations;
};

/// Says what the analyses have not found out to the end.
void noteUnsettled(const MayHappenInParallel& parallel, const Locks& locks,
                   const Freshness& freshness, const Ownership& ownership, AnalysisReport& report) {
  auto note = [&](bool settled, const char* what) {
    if (!settled)
      report.warnings.push_back(fmt::format(
          "what functions do to {} was not followed to the end, because too many functions call "
          "each other: races may be missing or wrong there\n  a smaller --context-depth has fewer "
          "of them",
          what));
  };
  note(parallel.isSettled(), "threads that are alive");
  note(locks.isSettled(), "locks");
  note(freshness.isSettled(), "objects before they are shared");
  note(ownership.isSettled(), "owners of objects");
}

/// They make runs faster, and are not worth a smaller depth.
void addLocalSites(const Input& input, const CallGraph& graph, ProgramConstraints& constraints,
                   Sites& sites, Meter& meter, AnalysisReport& report) {
  meter.beginPhase("local sites");
  try {
    report.localSites = findLocalSites(input.module, graph, constraints, sites, input.exported);
  } catch (const BudgetExceeded&) {
    report.localSites.clear();
  }
}

/// Everything after the loading, with contexts of depth k.
void attempt(const Input& input, ProgramConstraints& constraints, unsigned k,
             const AnalysisOptions& options, Meter& meter, AnalysisReport& report) {
  const Module& module = input.module;
  meter.beginPhase(fmt::format("points-to, depth {}", k));
  PointsToOptions limits;
  limits.k = k;
  limits.progress = [&](size_t instances) { meter.tick(instances, "functions in context"); };
  PointsTo pointsTo(module, constraints, limits);
  pointsTo.solve(entriesOf(module, input.first));
  meter.beginPhase("threads");
  CallGraph graph(pointsTo, &meter);
  Threads threads(graph);
  meter.beginPhase("parallel");
  MayHappenInParallel parallel(graph, threads);
  meter.beginPhase("locks");
  Paths paths(module.getDataLayout());
  ValueAccesses valueAccesses(input.models, module.getDataLayout());
  SpinLocks spinLocks(graph, valueAccesses);
  HandOvers handOvers(graph, threads, valueAccesses);
  Locks locks(graph, spinLocks, handOvers, paths);
  meter.beginPhase("escape");
  Escape escape(pointsTo, threads);
  Freshness freshness(graph, escape, paths);
  meter.beginPhase("activations");
  Ownership ownership(graph, escape, paths);
  Activations activations(graph, threads, locks, parallel, freshness, ownership);
  meter.beginPhase("pairs");
  Sites sites(module.getDataLayout(), input.models);
  Analyses analyses{module, graph,     pointsTo,  threads,     locks, handOvers, parallel,
                    escape, freshness, ownership, activations, sites, paths,     input.annotations};
  RacePairs pairs(analyses, options.everyPath);
  meter.beginPhase("findings");
  report.races = describeRaces(pairs, analyses, options);
  if (options.accessPairs)
    report.accessPairs = findAccessPairs(pairs, analyses);
  if (!options.explainFile.empty())
    report.explanations = explainLine(pairs, analyses, options.explainFile, options.explainLine);
  report.contextDepth = k;
  report.contexts = pointsTo.instances().size();
  report.threads = threads.all().size();
  report.stages = pairs.stages();
  listUnknown(pointsTo, report);
  noteUnsettled(parallel, locks, freshness, ownership, report);
  if (options.localSites)
    addLocalSites(input, graph, constraints, sites, meter, report);
  meter.endPhase();
}

// Of the time that is left: a depth that has not come to its end then is unlikely to do so.
constexpr double kShareOfAnAttempt = 0.5;

/// Tries the wanted depth, then smaller ones as long as the budget is exceeded.
Status attemptAll(const Input& input, const AnalysisOptions& options, AnalysisReport& report) {
  Meter meter(options);
  ProgramConstraints constraints(input.module, input.models);
  for (unsigned k = options.contextDepth;; --k) {
    try {
      meter.beginAttempt(k == 0 ? 1 : kShareOfAnAttempt);
      attempt(input, constraints, k, options, meter, report);
      break;
    } catch (const Stopped&) {
      return Error{"interrupted: nothing is known of races yet", ErrorKind::Interrupted};
    } catch (const BudgetExceeded& exceeded) {
      meter.endPhase();
      if (k == 0)
        return Error{fmt::format("the analysis needs more than {} even without contexts\n  allow "
                                 "more with --seconds or --memory, or analyse fewer files",
                                 exceeded.what),
                     ErrorKind::Usage};
      report.warnings.push_back(fmt::format(
          "contexts of depth {} took more than {}: depth {} is used, with more false alarms", k,
          exceeded.what, k - 1));
    }
    malloc_trim(0); // what the attempt used does not count for the next
  }
  report.phases = meter.phases();
  report.peakMemory = peakMemory();
  return Success{};
}

} // namespace

Result<AnalysisReport> analyze(const Program& program, const AnalysisOptions& options) {
  const Module& module = program.module();
  AnalysisReport report;
  measure(program, report);
  lowerOpenMp(program.module());
  auto first = firstFunction(program.module(), options, report);
  if (!first)
    return first.error();
  auto annotations = readAnnotations(module, options);
  if (!annotations)
    return annotations.error();
  if (Status status =
          options.explainFile.empty() ? Success{} : checkFile(module, options.explainFile);
      !status)
    return status.error();
  if (module.debug_compile_units().empty())
    report.warnings.emplace_back(
        "the program was compiled without -g: lines, members and types are "
        "not known, and false alarms are more likely");
  Models models;
  if (Status status =
          attemptAll({module, program.exported(), **first, models, *annotations}, options, report);
      !status)
    return status.error();
  return report;
}

} // namespace heddle::analysis
