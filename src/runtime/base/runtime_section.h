#pragma once

#include <stdint.h>

namespace heddle::rt {

/// Greater than 0 while the runtime works on data that only it can have broken: a fatal signal then
/// is an internal error and never a finding, also inside a libc function that it calls. (Faults at
/// an instruction of the runtime itself are recognized without this.) Not for code that follows
/// pointers of the program.
extern volatile uint32_t runtimeDepth;

class RuntimeSection {
public:
  RuntimeSection() { runtimeDepth = runtimeDepth + 1; }
  ~RuntimeSection() { runtimeDepth = runtimeDepth - 1; }
  RuntimeSection(const RuntimeSection&) = delete;
  RuntimeSection& operator=(const RuntimeSection&) = delete;
};

} // namespace heddle::rt
