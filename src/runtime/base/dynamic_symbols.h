#pragma once

#include <link.h>

/// The dynamic symbols of a loaded module, read from its memory: unlike dlsym it allocates nothing
/// and leaves no error for dlerror.
namespace heddle::rt {

/// Whether the module defines a symbol of this name.
bool definesSymbol(const dl_phdr_info& module, const char* name);

} // namespace heddle::rt
