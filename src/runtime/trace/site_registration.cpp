#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/trace/closed_module.h"
#include "runtime/trace/site_modes.h"
#include "runtime/trace/sites.h"

/// What the constructors and destructors of instrumented modules call.

using namespace heddle;
using namespace heddle::rt;

extern "C" void __heddle_register(ModuleDescriptor* module) {
  if (module->magic != kSiteTableMagic || module->version != kSiteTableVersion)
    loseControl("a module was compiled by another version of heddle-c++: rebuild the program");
  notePath(*module);
  addModule(*module);
  applyModes(*module);
}

extern "C" void __heddle_unregister(ModuleDescriptor* module) {
  if (scheduler.exiting && !closesLibrary()) // the module stays: only dlclose() unloads one
    return;
  if (!removeModule(*module))
    return;
  keepEntries(*module, keepClosedModule);
  keepCallSites(*module);
}
