#pragma once

/// Shared libraries of which heddle knows what they order, by how their file names begin. Their
/// functions are intercepted, tell the runtime what they do (OpenMP), or have no order of their
/// own. Freestanding.
namespace heddle {

inline constexpr const char* kKnownLibraries[] = {
    "libc.so",      "libm.so",      "libstdc++.so", "libgcc_s.so",   "ld-linux",  "libmvec.so",
    "linux-vdso",   "libdl.so",     "librt.so",     "libpthread.so", "libc++.so", "libc++abi.so",
    "libatomic.so", "libresolv.so", "libomp.so",    "libomp-19.so"};

constexpr bool beginsWith(const char* text, const char* beginning) {
  while (*beginning && *text == *beginning)
    ++text, ++beginning;
  return *beginning == 0;
}

/// The path of a file, or its name.
constexpr bool isKnownLibrary(const char* path) {
  const char* name = path;
  for (const char* at = path; *at; ++at)
    if (*at == '/')
      name = at + 1;
  for (const char* known : kKnownLibraries)
    if (beginsWith(name, known))
      return true;
  return false;
}

} // namespace heddle
