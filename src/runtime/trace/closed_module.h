#pragma once

#include "model/site_table.h"

/// What stays of a module that dlclose() unloads: its sites have ids for the rest of the run, in
/// traces, in reports and in the call sites of threads that are still in its code.
namespace heddle::rt {

/// Whether a call of dlclose() runs, of whichever thread.
bool closesLibrary();

/// A copy of the module's tables, without modes, in the run's own memory.
const ModuleDescriptor* keepClosedModule(const ModuleDescriptor& module);

/// Looks up the module's file while it is registered: later the loader may be at work.
void notePath(ModuleDescriptor& module);
/// That file.
const char* modulePath(const ModuleDescriptor& module);

/// Lets call sites of all threads that are in the module's slots be in a copy of them.
void keepCallSites(const ModuleDescriptor& module);

} // namespace heddle::rt
