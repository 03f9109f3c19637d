#pragma once

#include "ids.h"

/// How lists of names travel from the controller to the runtime. Freestanding.
namespace heddle {

constexpr uint64_t nameHash(const char* name) {
  uint64_t hash = 0;
  for (; *name; ++name)
    hash = mix(hash, static_cast<unsigned char>(*name));
  return hash;
}

} // namespace heddle
