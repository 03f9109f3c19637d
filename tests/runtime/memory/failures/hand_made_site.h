// One instrumented place, as the pass would make it: these programs are compiled by plain clang.
#pragma once

#include "model/site_table.h"

#include <cstdint>

namespace handMade {

inline const char strings[] = "\0main\0hand_made.cpp\0block";

inline heddle::SiteRecord record(heddle::SiteKind kind, uint32_t size) {
  heddle::SiteRecord site{};
  site.identity = 0x1234 + static_cast<uint64_t>(kind);
  site.function = 1;
  site.file = 6;
  site.line = 1;
  site.size = size;
  site.object = 20;
  site.kind = kind;
  return site;
}

inline heddle::SiteRecord sites[] = {record(heddle::SiteKind::Read, 4),
                                     record(heddle::SiteKind::Write, 4)};
inline uint8_t modes[2];
inline heddle::SiteSlot slots[2];
inline heddle::FunctionRecord functions[] = {{1, 1, 0, 2, 0, 0}};
inline uint8_t functionModes[1];
inline heddle::ModuleDescriptor module = {heddle::kSiteTableMagic,
                                          heddle::kSiteTableVersion,
                                          2,
                                          1,
                                          0,
                                          sizeof strings,
                                          sites,
                                          modes,
                                          slots,
                                          functions,
                                          functionModes,
                                          nullptr,
                                          strings,
                                          "hand_made.cpp",
                                          nullptr,
                                          0};

__attribute__((constructor)) inline void registerModule() { __heddle_register(&module); }

inline int read(const int* place) {
  if (modes[0])
    __heddle_access(place, &slots[0].id);
  return *place;
}
inline void write(int* place, int value) {
  if (modes[1])
    __heddle_access(place, &slots[1].id);
  *place = value;
}

} // namespace handMade
