#pragma once

#include <stdint.h>

namespace heddle::rt {

/// Greater than 0 while the runtime's own code runs on data that only it can have broken: a fatal
/// signal there is an internal error and never a finding. Not for code that follows pointers of
/// the program.
extern volatile uint32_t runtimeDepth;

class RuntimeSection {
public:
  RuntimeSection() { runtimeDepth = runtimeDepth + 1; }
  ~RuntimeSection() { runtimeDepth = runtimeDepth - 1; }
  RuntimeSection(const RuntimeSection&) = delete;
  RuntimeSection& operator=(const RuntimeSection&) = delete;
};

} // namespace heddle::rt
