#pragma once

#include "model/batch.h"
#include "model/site_table.h"

/// The sites of the program: registration of the modules' tables, ids, and the mode bytes that
/// the instrumented code tests.
namespace heddle::rt {

/// Ids below this are pseudo-sites: one per EventKind (id and identity = 1 + kind), for sync
/// operations that come from code without instrumentation.
inline constexpr uint32_t kFirstSiteId = 64;

constexpr SiteId pseudoSite(EventKind kind) {
  return static_cast<SiteId>(1 + static_cast<uint32_t>(kind));
}

/// Number of ids in use; ids are 1 .. siteCount() - 1.
uint32_t siteCount();
/// Null for pseudo-sites.
const SiteRecord* siteRecord(SiteId site);
SiteIdentity identityOf(SiteId site);
uint8_t modeOf(SiteId site);
/// Whether the plan lists it.
bool isListedSite(SiteId site);
/// Whether both sites stand in one function of one module.
bool inOneFunction(SiteId one, SiteId other);

/// Sets the mode bytes of all modules, and of those that register later, as the plan wants.
void applyPlan(const Plan& plan, const uint64_t* listedSites);

/// The listed accesses are no points until lightPoints() is called: a long run has them in its
/// window only. Functions with such sites stay hooked, so that threads are not in plain clones when
/// the window begins.
void dimPoints();
void lightPoints();

/// How often a run looks at a site that is said to be local.
uint64_t localExecutions();
/// Whether the table of sites of a registered module lies in [begin, end).
bool hasSitesIn(uintptr_t begin, uintptr_t end);
/// Turns one copy of a site off until the next plan.
void switchOff(const SiteSlot& slot);

/// Turns one copy of a site off, and on again as the plan wants it.
void rest(const SiteSlot& slot);
void wake(const SiteSlot& slot);

/// Whether a role of the plan's target is played at a call: a free.
bool targetsCall();

/// Hooked clones everywhere from now on: code that is entered before the first plan may still run
/// when plans want its hooks (HEDDLE_READY).
void expectHooks();

/// Copies records and strings of all sites into the batch's site region. False: does not fit.
bool dumpSites(BatchHeader& batch);
/// Calls `visit` for every site that the plan thins out.
void visitThinned(void (*visit)(const SiteSlot&, void*), void* context);

/// Number of modules that registered, and whether any is instrumented at all.
uint32_t moduleCount();

} // namespace heddle::rt
