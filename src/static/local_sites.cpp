#include "static/local_sites.h"

#include <algorithm>
#include <set>

namespace heddle::analysis {

std::vector<uint64_t> findLocalSites(const PointsTo& pointsTo, const Threads& threads,
                                     Sites& sites) {
  Escape escape(pointsTo, threads, /*unknownShare=*/true);
  std::set<uint64_t> local, shared;
  for (uint32_t i = 0; i < pointsTo.instances().size(); ++i) {
    auto instance = static_cast<InstanceId>(i);
    for (uint32_t site : sites.accesses(*pointsTo.instance(instance).body->function)) {
      auto places = pointsTo.pointees(instance, sites[site].address);
      bool mayShare =
          places.empty() || std::any_of(places.begin(), places.end(), [&](uint32_t at) {
            return escape.escapes(pointsTo.location(static_cast<LocationId>(at)).object);
          });
      (mayShare ? shared : local).insert(raw(sites[site].identity));
    }
  }
  std::vector<uint64_t> result;
  std::set_difference(local.begin(), local.end(), shared.begin(), shared.end(),
                      std::back_inserter(result));
  return result;
}

} // namespace heddle::analysis
