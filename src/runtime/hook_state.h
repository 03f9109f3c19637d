#pragma once

#include "../model/site_table.h"

/// Per-site arrays that the hooks read, indexed by SiteId. Filled by sites.cpp.
namespace heddle::rt {

extern uint8_t* siteModes;
extern SiteKind* siteKinds;
extern uint32_t* siteSizes;

} // namespace heddle::rt
