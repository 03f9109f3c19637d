#pragma once

/// Destructors of modules at the end of a run. The loader visits every module; but a library that
/// has nothing but the compiler's own entry has nothing left to do once the handlers of exit have
/// run, and visiting it costs each run pages that have to be copied or put back. So the loader is
/// only asked when a library has destructors of its own.
namespace heddle::rt {

using Fini = void (*)();

/// What __libc_start_main is to register instead of the loader's function.
Fini replaceLoaderFini(Fini loader);
/// Looks which modules have destructors; before the first run.
void readModuleFini();
/// The program loaded a library itself: the loader is asked from now on.
void noteLoadedModule();

} // namespace heddle::rt
