#include "static/races/site_pairs.h"

#include <map>

using namespace llvm;

namespace heddle::analysis {

uint64_t pairsByName(const Sites& sites, const std::vector<uint32_t>& which) {
  struct Group {
    uint64_t reads = 0, writes = 0;
    uint64_t pairs() const { return writes * (writes + 1) / 2 + reads * writes; }
  };
  std::map<StringRef, Group> groups;
  Group any;
  uint64_t count = 0;
  for (uint32_t index : which) {
    const AccessSite& site = sites[index];
    StringRef name = site.object.substr(site.object.find_last_of(".:") + 1);
    bool named = !name.empty() && !name.starts_with("*") && !name.ends_with(")");
    Group& group = named ? groups[name] : any;
    ++(site.isWrite() ? group.writes : group.reads);
  }
  for (const auto& [name, group] : groups)
    count += group.pairs() + group.writes * (any.reads + any.writes) + group.reads * any.writes;
  return count + any.pairs();
}

void SitePairs::add(uint32_t one, uint32_t other) {
  auto [low, high] = std::minmax(one, other);
  known.insert(uint64_t{low} << 32 | high);
}

} // namespace heddle::analysis
