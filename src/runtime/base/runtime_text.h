#pragma once

/// Compiled into every file of the runtime (-include): its code is one section, so that a fault in
/// it can be told from a fault of the program. See fatal_signal.cpp.
#ifdef __clang__
#pragma clang section text = "heddle_text"
#endif
