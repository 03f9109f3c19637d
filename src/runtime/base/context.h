#pragma once

#include <stdint.h>

/// Contexts of fibers: see context.S.
namespace heddle::rt {

extern "C" void heddleSwitch(void** save, void* to);
extern "C" void heddlePark(void** save, int* gone);

/// Prepares a context that enters `entry` (which must not return) on an empty stack.
void* makeContext(void* stackTop, void (*entry)());

uintptr_t readFsBase();
/// Makes `base` the TLS of what runs next. No code may use TLS between this and the switch.
void writeFsBase(uintptr_t base);
/// Looks up once whether user code may write the FS base.
void detectFsGsBase();

} // namespace heddle::rt
