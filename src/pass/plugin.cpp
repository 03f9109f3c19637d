#include "build_command.h"
#include "call_graph.h"
#include "embedded_bitcode.h"
#include "hooks.h"
#include "identity.h"
#include "kept_calls.h"
#include "late_cleanup.h"
#include "library_spins.h"
#include "seed_recording.h"
#include "seen_functions.h"
#include "shadow_stack.h"
#include "site_collector.h"
#include "site_metadata.h"
#include "versions.h"

#include "model/embedded_format.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace heddle::pass {
namespace {

constexpr const char* kDoneMark = "heddle.instrumented";
constexpr const char* kUnnamedMark = "heddle.unnamed"; ///< until NamePass has run

void promoteLocals(Module& module, FunctionAnalysisManager& analyses) {
  TimeTraceScope scope("heddle: locals");
  for (Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked))
      continue;
    PreservedAnalyses preserved = SROAPass(SROAOptions::PreserveCFG).run(function, analyses);
    analyses.invalidate(function, preserved);
  }
}

ModuleSites numberSites(Module& module, FunctionAnalysisManager& analyses) {
  TimeTraceScope scope("heddle: sites");
  ModuleSites sites = collectSites(module, analyses);
  assignIdentities(sites, module);
  connectCallees(sites);
  attachSites(sites, module.getContext());
  return sites;
}

FunctionAnalysisManager& functionAnalyses(Module& module, ModuleAnalysisManager& analyses) {
  return analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
}

/// Makes bitcode that heddle analyze reads, and no code: for build systems that keep bitcode.
class SitesPass : public PassInfoMixin<SitesPass> {
public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    if (module.getNamedMetadata(kDoneMark) || module.getNamedMetadata(kNumberedMark))
      return PreservedAnalyses::all();
    module.setIsNewDbgInfoFormat(true);
    shortenLibrarySpins(module);
    promoteLocals(module, functionAnalyses(module, analyses));
    numberSites(module, functionAnalyses(module, analyses));
    module.getOrInsertNamedMetadata(kNumberedMark);
    return PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }
};

/// Instruments a translation unit at the start of the pipeline, where every access that the source
/// makes is still there. docs/pass.md describes what it leaves behind.
class InstrumentPass : public PassInfoMixin<InstrumentPass> {
public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    if (module.getNamedMetadata(kDoneMark)) // bitcode given as input that was compiled by heddle-cc
      return PreservedAnalyses::all();
    module.setIsNewDbgInfoFormat(true);
    shortenLibrarySpins(module);
    promoteLocals(module, functionAnalyses(module, analyses));
    instrument(module, functionAnalyses(module, analyses));
    module.getOrInsertNamedMetadata(kDoneMark);
    module.getOrInsertNamedMetadata(kUnnamedMark);
    return PreservedAnalyses::none();
  }

  static bool isRequired() { return true; } // also for optnone functions and at -O0

private:
  static void instrument(Module& module, FunctionAnalysisManager& analyses) {
    ModuleSites sites = numberSites(module, analyses);
    {
      TimeTraceScope scope("heddle: bitcode");
      embedBitcode(module);
      embedBuildCommand(module);
    }
    keepReallocations(module);
    if (sites.sites.empty())
      return;
    SiteArrays arrays = createArrays(module, sites);
    std::vector<Versions> versions;
    {
      TimeTraceScope scope("heddle: clones");
      versions = versionFunctions(sites, arrays);
    }
    addHooks(module, sites, arrays, versions);
    createDescriptor(module, sites, arrays);
  }

  static void addHooks(Module& module, const ModuleSites& sites, const SiteArrays& arrays,
                       const std::vector<Versions>& versions) {
    TimeTraceScope scope("heddle: hooks");
    HookEmitter hooks(module, sites, arrays);
    for (size_t i = 0; i < versions.size(); ++i) {
      Function& hooked = *versions[i].hooked;
      // Behind the function's own slot of the shadow stack, before all that it does.
      Instruction& begin = *hooked.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
      addShadowStack(hooked, sites.functions[i].treatment, sites, arrays);
      hooks.hookEntries(sites.functions[i], begin);
      hooks.hookAll(hooked);
      detachSites(hooked);
      if (Function* plain = versions[i].plain) {
        hooks.hookSyncOnly(*plain);
        detachSites(*plain);
      }
    }
  }
};

/// Names the functions that are left when everything else is done.
class NamePass : public PassInfoMixin<NamePass> {
public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    NamedMDNode* mark = module.getNamedMetadata(kUnnamedMark);
    if (!mark)
      return PreservedAnalyses::all();
    module.eraseNamedMetadata(mark);
    recordSeenFunctions(module);
    return PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }
};

void registerPass(PassBuilder& builder) {
  if (std::vector<std::string> library = SeedRecordingPass::libraryFromEnvironment();
      !library.empty()) {
    builder.registerPipelineStartEPCallback(
        [library](ModulePassManager& passes, OptimizationLevel) {
          passes.addPass(SeedRecordingPass(library));
        });
    return;
  }
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(InstrumentPass()); });
  builder.registerOptimizerLastEPCallback([](ModulePassManager& passes, OptimizationLevel level) {
    if (level != OptimizationLevel::O0) {
      passes.addPass(createModuleToFunctionPassAdaptor(LateCleanupPass()));
      passes.addPass(GlobalDCEPass());
    }
    passes.addPass(NamePass());
  });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name == "heddle") {
          passes.addPass(InstrumentPass());
          passes.addPass(NamePass());
        } else if (name == "heddle-sites")
          passes.addPass(SitesPass());
        else
          return false;
        return true;
      });
}

} // namespace
} // namespace heddle::pass

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", HEDDLE_VERSION, heddle::pass::registerPass};
}
