#include "pipeline/commands/site_listing.h"

#include "describe/function_name.h"
#include "pipeline/runs/program_sites.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

namespace heddle {
namespace {

/// In source order: the order of ids depends on how the program was linked.
std::vector<const SiteEntry*> inSourceOrder(const SiteCatalog& sites) {
  std::vector<const SiteEntry*> sorted;
  for (const SiteEntry& site : sites.entries())
    if (!site.linkageName.empty() && site.kind != SiteKind::Enter)
      sorted.push_back(&site);
  std::sort(sorted.begin(), sorted.end(), [](const SiteEntry* a, const SiteEntry* b) {
    return std::tie(a->file, a->line, a->column, a->linkageName, a->ordinal, a->identity) <
           std::tie(b->file, b->line, b->column, b->linkageName, b->ordinal, b->identity);
  });
  return sorted;
}

} // namespace

Result<SiteListing> listSites(CommandContext& context) {
  auto sites = describeSites(context);
  if (!sites)
    return sites.error();
  SiteListing listing;
  listing.sites = *sites;
  listing.report.command = "sites";
  listing.report.program = context.program().arguments;
  listing.report.seconds = context.budget.secondsUsed();
  auto& listed = listing.report.factsAs<SitesSummary>().sites;
  for (const SiteEntry* site : inSourceOrder(**sites)) {
    listed.push_back(*site);
    listed.back().function = shortFunctionName(site->function);
  }
  return listing;
}

std::string siteListingText(const SiteCatalog& sites) {
  std::string text;
  size_t count = 0;
  for (const SiteEntry* site : inSourceOrder(sites)) {
    std::string place = site->file.empty() ? std::string("(no place)")
                                           : site->file + ":" + std::to_string(site->line) + ":" +
                                                 std::to_string(site->column);
    text += identityText(site->identity) + "  " + place + "  " + siteKindName(site->kind);
    if (site->size != 0)
      text += " of " + std::to_string(site->size);
    if (!site->object.empty())
      text += " " + site->object;
    if (!site->callee.empty())
      text += " " + shortFunctionName(demangle(site->callee));
    text += "  in " + shortFunctionName(site->function);
    if (!site->isUserCode())
      text += "  (library)";
    text += "\n";
    ++count;
  }
  return text + std::to_string(count) + " sites\n";
}

} // namespace heddle
