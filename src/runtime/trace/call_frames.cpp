#include "runtime/trace/call_frames.h"

namespace heddle::rt {

SiteId userCaller(const Fiber* fiber) {
  for (const uint32_t** frame = shadowTopOf(fiber); frame > fiber->shadowBase;) {
    const uint32_t* caller = *--frame;
    const SiteRecord* record = caller ? siteRecord(static_cast<SiteId>(*caller)) : nullptr;
    if (record && !(record->flags & kSiteLibrary))
      return static_cast<SiteId>(*caller);
  }
  return SiteId::None;
}

} // namespace heddle::rt
