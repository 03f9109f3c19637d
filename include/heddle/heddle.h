/* What a program may tell heddle. For C and C++; nothing to link: without heddle, assertions print
 * and abort, and everything else does nothing.
 *
 *   HEDDLE_ASSERT(x)        like assert, but also with NDEBUG, and a finding that names the place
 *   HEDDLE_READY()          set-up is done: runs start here and no longer at the entry of main
 *   HEDDLE_YIELD_POINT()    a scheduling point: other threads may run here
 *   HEDDLE_CONTROLLED()     whether heddle decides who runs
 *
 * heddle-cc and heddle-c++ define __HEDDLE__.
 *
 * Order and intent that heddle cannot see by itself:
 *   HEDDLE_HAPPENS_BEFORE(object)   what this thread did so far comes before ...
 *   HEDDLE_HAPPENS_AFTER(object)    ... what this thread does next
 *   HEDDLE_BENIGN_RACE(object, why) races on the object are intended and not reported
 *
 * For `heddle atomicity`, statements in any function, of which a constructor is a good one. They do
 * not have to be executed:
 *   HEDDLE_ATOMIC_SET(member, "name")  the members (or globals) with this name form a set: they are
 *                                      to be read and changed without others in between
 *   HEDDLE_NOT_IN_SET(member)          the member (or global) is in no set;
 * HEDDLE_NOT_IN_SET(*this) says it of all members of the class and in front of functions:
 *   HEDDLE_UNIT                        a unit of work, private or not, for all objects and globals
 *                                      that are used while it runs
 *   HEDDLE_NOT_UNIT                    none, although it gets objects
 *
 * For `heddle analyze`, which does not run the program:
 *   int hits HEDDLE_THREAD_LOCAL;   a member that one thread at a time uses
 *   HEDDLE_THREAD_LOCAL_CLASS;      the same for a class (C++), among its members
 *   HEDDLE_NOT_PARALLEL(group)      in front of functions: threads that run one of the group's
 *                                   functions are never there together
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_WEAK __attribute__((weak))

HEDDLE_WEAK void heddle_assert_failed(const char* expression, const char* file, int line,
                                      const char* function);
HEDDLE_WEAK void heddle_ready(void);
HEDDLE_WEAK void heddle_yield_point(void);
HEDDLE_WEAK int heddle_controlled(void);
HEDDLE_WEAK void heddle_happens_before(const void* object);
HEDDLE_WEAK void heddle_happens_after(const void* object);
HEDDLE_WEAK void heddle_benign_race(const void* object, size_t bytes, const char* why);
/* Nobody defines these two: the compiler reads their calls. */
HEDDLE_WEAK void heddle_atomic_set(const volatile void* object, size_t bytes, const char* name);
HEDDLE_WEAK void heddle_not_in_set(const volatile void* object, size_t bytes);

/* Without heddle. Not inlined into the caller's hot path, and not an assertion of NDEBUG's. */
__attribute__((noreturn, cold, unused)) static void
heddle_print_and_abort(const char* expression, const char* file, int line, const char* function) {
  fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, expression);
  abort();
}

/* Tells the runtime before main that the program has a HEDDLE_READY(). */
__attribute__((unused)) static inline void heddle_mark_ready(void) {
#ifdef __HEDDLE__
  __asm__ volatile(".pushsection heddle_ready_mark,\"aR\",@progbits\n\t.byte 1\n\t.popsection");
#endif
}

#ifdef __cplusplus
}
#endif

/* Fails where it stands, so that the caller is the place of the finding. */
#define HEDDLE_FAIL_ASSERTION(text)                                                                \
  ((heddle_assert_failed ? heddle_assert_failed(text, __FILE__, __LINE__, __func__) : (void)0),    \
   heddle_print_and_abort(text, __FILE__, __LINE__, __func__))
#define HEDDLE_ASSERT(x) ((x) ? (void)0 : HEDDLE_FAIL_ASSERTION(#x))

#define HEDDLE_READY() (heddle_mark_ready(), heddle_ready ? heddle_ready() : (void)0)
#define HEDDLE_YIELD_POINT() (heddle_yield_point ? heddle_yield_point() : (void)0)
#define HEDDLE_CONTROLLED() (heddle_controlled ? heddle_controlled() : 0)

#define HEDDLE_HAPPENS_BEFORE(object)                                                              \
  (heddle_happens_before ? heddle_happens_before(object) : (void)0)
#define HEDDLE_HAPPENS_AFTER(object) (heddle_happens_after ? heddle_happens_after(object) : (void)0)
#define HEDDLE_BENIGN_RACE(object, why)                                                            \
  (heddle_benign_race ? heddle_benign_race(&(object), sizeof(object), why) : (void)0)
#define HEDDLE_ATOMIC_SET(object, name)                                                            \
  (heddle_atomic_set ? heddle_atomic_set(&(object), sizeof(object), name) : (void)0)
#define HEDDLE_NOT_IN_SET(object)                                                                  \
  (heddle_not_in_set ? heddle_not_in_set(&(object), sizeof(object)) : (void)0)

#ifdef __HEDDLE__
#define HEDDLE_UNIT __attribute__((annotate("heddle:unit")))
#define HEDDLE_NOT_UNIT __attribute__((annotate("heddle:not-unit")))
#define HEDDLE_THREAD_LOCAL __attribute__((annotate("heddle:thread-local")))
#define HEDDLE_NOT_PARALLEL(group) __attribute__((annotate("heddle:not-parallel:" #group)))
#define HEDDLE_THREAD_LOCAL_CLASS static constexpr bool heddle_thread_local_class = true
#else
#define HEDDLE_UNIT
#define HEDDLE_NOT_UNIT
#define HEDDLE_THREAD_LOCAL
#define HEDDLE_NOT_PARALLEL(group)
#define HEDDLE_THREAD_LOCAL_CLASS static_assert(true, "")
#endif

#endif
