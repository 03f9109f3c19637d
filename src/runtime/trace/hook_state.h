#pragma once

#include "model/site_table.h"

/// Per-site arrays that the hooks read, indexed by SiteId. Filled by sites.cpp.
namespace heddle::rt {

extern uint8_t* siteModes;

extern SiteKind* siteKinds;
extern uint32_t* siteSizes;

/// What executing a site of this kind is.
constexpr EventKind eventOf(SiteKind kind) {
  switch (kind) {
  case SiteKind::Read:
  case SiteKind::RangeRead:
    return EventKind::Read;
  case SiteKind::Write:
  case SiteKind::RangeWrite:
    return EventKind::Write;
  case SiteKind::AtomicRead:
    return EventKind::AtomicRead;
  case SiteKind::AtomicWrite:
    return EventKind::AtomicWrite;
  case SiteKind::AtomicUpdate:
    return EventKind::AtomicUpdate;
  case SiteKind::Fence:
    return EventKind::Fence;
  case SiteKind::Call:
    return EventKind::Call;
  case SiteKind::Spin:
    return EventKind::Spin;
  case SiteKind::Enter:
    return EventKind::Enter;
  }
  return EventKind::Read;
}

} // namespace heddle::rt
