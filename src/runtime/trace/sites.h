#pragma once

#include "model/event.h"
#include "model/ids.h"
#include "model/site_table.h"

/// The sites of the program: the modules' tables and their ids. site_modes.h has what a plan wants
/// of them.
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
/// The mode that the plan has given it.
uint8_t modeOf(SiteId site);
/// Whether both sites stand in one function of one module.
bool inOneFunction(SiteId one, SiteId other);
/// Whether the table of sites of a registered module lies in [begin, end).
bool hasSitesIn(uintptr_t begin, uintptr_t end);

/// Whether a call with kSiteUnseen leads to unseen code: asked when a plan wants to know.
enum class UnseenVerdict : uint8_t { NotAsked, No, Yes };
UnseenVerdict& unseenVerdictOf(SiteId site);

/// Number of modules that ever registered.
uint32_t moduleCount();
/// Those that are registered now, linked by `next`.
ModuleDescriptor* firstModule();
/// Null for pseudo-sites.
const ModuleDescriptor* moduleOf(SiteId site);
/// Calls `visit` for every site that the plan thins out.
void visitThinned(void (*visit)(const SiteSlot&, void*), void* context);

/// A module registers: gives its sites their ids.
void addModule(ModuleDescriptor& module);
/// False: it was not registered.
bool removeModule(ModuleDescriptor& module);
/// The records go away with the module's memory; ids stay, so that later sites get other ones. A
/// library that is loaded again finds its entries here and leaves them so: what is kept is kept
/// once, by `keep`, which copies the module.
using KeepModule = const ModuleDescriptor* (*)(const ModuleDescriptor&);
void keepEntries(const ModuleDescriptor& module, KeepModule keep);

} // namespace heddle::rt
