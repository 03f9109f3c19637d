#pragma once

#include "model/batch.h"
#include "model/site_table.h"

/// What a plan wants of the sites: the mode bytes that the instrumented code tests, and which
/// functions run hooked.
namespace heddle::rt {

/// Sets the mode bytes of all modules, and of those that register later, as the plan wants.
void applyPlan(const Plan& plan, const uint64_t* listedSites);

/// The same for a module that registers later.
void applyModes(ModuleDescriptor& module);

/// Whether the plan lists the site.
bool isListedSite(SiteId site);
/// Whether a role of the plan's target is played at a call: a free.
bool targetsCall();

/// The listed accesses are no points until lightPoints() is called: a long run has them in its
/// window only. Functions with such sites stay hooked, so that threads are not in plain clones when
/// the window begins.
void dimPoints();
void lightPoints();

/// How often a run looks at a site that is said to be local.
uint64_t localExecutions();

/// Turns one copy of a site off until the next plan.
void switchOff(const SiteSlot& slot);

/// Turns one copy of a site off, and on again as the plan wants it.
void rest(const SiteSlot& slot);
void wake(const SiteSlot& slot);

/// Hooked clones everywhere from now on: code that is entered before the first plan may still run
/// when plans want its hooks (HEDDLE_READY).
void expectHooks();

} // namespace heddle::rt
