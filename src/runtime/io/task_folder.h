#pragma once

#include <dirent.h>

/// /proc/self/task as a native run would show it: an entry for each thread of the program. The
/// kernel knows only the one that carries all fibers.
namespace heddle::rt {

/// The program has opened its own list of threads: what is read from it are its fibers.
void showThreadsIn(DIR* directory);
/// The directory is closed.
void forgetTaskFolder(DIR* directory);

} // namespace heddle::rt
