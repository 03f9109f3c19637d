#pragma once

#include "runtime/base/real_types.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The functions behind our interposed ones, found once by dlsym(RTLD_NEXT) at start.
/// HEDDLE_REAL(return type, name, arguments) declares `real::name`; add a line to real.def.
namespace heddle::rt::real {

#define HEDDLE_REAL(result, name, arguments) extern result(*name) arguments;
#include "runtime/base/real.def"
#undef HEDDLE_REAL

/// Comes first of all: the others are found by libc's dlsym.
void findLoader();
extern void* (*dlsym)(void*, const char*);
/// libc's function of this name, or null.
void* find(const char* name);

/// Resolves all of them; aborts with a message when one that must exist does not.
void resolve();

} // namespace heddle::rt::real

/// Marks a definition that replaces libc's for the whole program.
#define HEDDLE_INTERPOSE extern "C" __attribute__((visibility("default")))
