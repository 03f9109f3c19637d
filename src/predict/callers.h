#pragma once

#include "model/event.h"
#include "model/ids.h"

#include <vector>

namespace heddle {

/// Who called the library code in which events of a trace happened, from its Call events.
class Callers {
public:
  void add(const Event& event) {
    if (static_cast<EventKind>(event.kind) != EventKind::Call)
      return;
    if (event.thread >= callers_.size())
      callers_.resize(event.thread + 1u, SiteId::None);
    callers_[event.thread] = static_cast<SiteId>(event.site);
  }

  /// The innermost call site in the program's own code; None when the event is in such code.
  SiteId of(const Event& event) const {
    auto kind = static_cast<EventKind>(event.kind);
    bool inLibrary = isSync(kind) || (event.result & kAccessInLibrary) != 0;
    return inLibrary && event.thread < callers_.size() ? callers_[event.thread] : SiteId::None;
  }

private:
  std::vector<SiteId> callers_;
};

} // namespace heddle
