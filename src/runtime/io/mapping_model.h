#pragma once

#include <stddef.h>
#include <stdint.h>

/// Memory that the program maps itself. A mapping begins and ends as a block of the heap does: what
/// is mapped at the same place later is other memory. Mappings that the run has made are unmapped
/// at its end; what it does to others cannot be undone.
namespace heddle::rt {

/// Tells apart the mappings of the run that were at one address one after the other; 0: in none.
uint32_t mappingSerial(uintptr_t address);

/// For the end of a run.
void unmapRunMappings();

} // namespace heddle::rt
