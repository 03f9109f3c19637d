#include "bench.h"

#include <fmt/core.h>

#include <fstream>

/// A run that learns which sites are shared, or records every access, while sites that the static
/// analysis calls local are left out. Arguments: what (learning or recording), a file with their
/// identities (16 hexadecimal digits each), how often each of them is looked at, the program with
/// its arguments. Prints one line for bench/run.
namespace heddle::bench {

namespace {

std::vector<uint64_t> readSites(const std::string& path) {
  std::vector<uint64_t> sites;
  std::ifstream file(path);
  for (uint64_t site = 0; file >> std::hex >> site;)
    sites.push_back(site);
  return sites;
}

} // namespace

int measureLocalSites(const std::vector<std::string>& arguments) {
  bool learns = arguments.at(0) == "learning";
  uint64_t received = 0;
  size_t shared = 0;
  size_t foreign = 0;
  double begin = wallSeconds();
  {
    Session session = openSession({arguments.begin() + 3, arguments.end()}, Isolation::Fork);
    PlanRequest request = makePlan(StrategyKind::NonPreemptive, Isolation::Fork, 1);
    request.plan.flags = learns ? kPlanLearn | kPlanDumpSites : kPlanRecord;
    request.localSites = readSites(arguments.at(1));
    request.plan.localExecutions = std::stoull(arguments.at(2));
    runPlan(session, request, [&](std::span<const Event> events) { received += events.size(); });
    if (auto sites = session.sites(); learns && sites)
      for (const SiteEntry& site : (*sites)->entries()) {
        shared += (site.learned & kLearnedShared) != 0;
        foreign += (site.learned & kLearnedForeign) != 0;
      }
    session.end();
  }
  fmt::print("{{\"seconds\": {:.4f}, \"cpu\": {:.4f}, \"events\": {}, \"shared\": {}, "
             "\"foreign\": {}}}\n",
             wallSeconds() - begin, childSeconds(), received, shared, foreign);
  return 0;
}

} // namespace heddle::bench
