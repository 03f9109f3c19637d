#pragma once

#include <stddef.h>
#include <stdint.h>

/// Where a fiber's stack and TLS come from.
///
/// A donor is the ghost of an OS thread: a real pthread_create whose thread saved its context on
/// its own stack and left by a raw exit system call. glibc still owns TCB, static TLS and thread
/// descriptor, so thread_local, errno, exceptions and pthread_self work for whoever runs there
/// with the FS base set. Stacks lie at fixed addresses. Donors are run state: those made before a
/// snapshot serve every run.
namespace heddle::rt {

struct Fiber;

struct Donor {
  uintptr_t stackLow = 0; ///< first usable byte; a guard page lies below
  size_t stackBytes = 0;
  void* parked = nullptr; ///< context in which a new fiber starts
  uintptr_t fsBase = 0;
  int gone = 1; ///< cleared by the kernel when the OS thread has ended
  Donor* next = nullptr;
  Fiber* fiber = nullptr;   ///< whom it serves
  void* pristine = nullptr; ///< copy of [parked, end of stack): frames, static TLS, descriptor
  size_t pristineBytes = 0;
};

/// At start, before any donor is made.
void rememberMainTid();
/// Makes sure that at least `count` donors are free. False when the system gives no more threads.
bool reserveDonors(uint32_t count);
/// A donor with at least this stack, from the pool or new; null with an errno-like error.
Donor* takeDonor(size_t stackBytes, int& error);
/// Puts a donor back as if it had just been made. Must not be called on its own stack.
void returnDonor(Donor* donor);
/// The donor whose stack (and so whose TCB) contains the address, or null.
Donor* donorAt(uintptr_t address);
/// Number of donors that exist.
uint32_t donorCount();
/// Number of donors that serve a thread, also one that has ended and was not joined yet.
uint32_t donorsInUse();

} // namespace heddle::rt
