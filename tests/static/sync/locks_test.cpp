#include "static/sync/locks.h"

#include "../analysed.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

constexpr const char* kDeclarations = R"(
  declare i32 @pthread_mutex_lock(ptr)
  declare i32 @pthread_mutex_trylock(ptr)
  declare i32 @pthread_mutex_unlock(ptr)
  declare i32 @pthread_rwlock_rdlock(ptr)
  declare i32 @unknown()
  @m = global [40 x i8] zeroinitializer
  @n = global [40 x i8] zeroinitializer
  @data = global i32 0
  define void @take() {
    %a = call i32 @pthread_mutex_lock(ptr @m)
    ret void
  }
  define void @give() {
    %a = call i32 @pthread_mutex_unlock(ptr @m)
    ret void
  }
  define void @takePerhaps() {
    %a = call i32 @unknown()
    %b = icmp eq i32 %a, 0
    br i1 %b, label %yes, label %no
  yes:
    call void @take()
    br label %no
  no:
    ret void
  }
  define void @takeOfParameter(ptr %mutex) {
    %a = call i32 @pthread_mutex_lock(ptr %mutex)
    ret void
  }
  define void @takeAtTheEnd() {
    %a = call i32 @unknown()
    %b = icmp eq i32 %a, 0
    br i1 %b, label %end, label %again
  again:
    call void @takeAtTheEnd()
    ret void
  end:
    call void @take()
    ret void
  }
)";

const NamesCase kCases[] = {
    {"nothing", "", {}},
    {"locked", "%a = call i32 @pthread_mutex_lock(ptr @m)", {"m"}},
    {"two locks",
     "%a = call i32 @pthread_mutex_lock(ptr @m)\n%b = call i32 @pthread_mutex_lock(ptr @n)",
     {"m", "n"}},
    {"unlocked",
     "%a = call i32 @pthread_mutex_lock(ptr @m)\n%b = call i32 @pthread_mutex_unlock(ptr @m)",
     {}},
    {"another one unlocked",
     "%a = call i32 @pthread_mutex_lock(ptr @m)\n%b = call i32 @pthread_mutex_unlock(ptr @n)",
     {"m"}},
    {"locked twice, unlocked once",
     "%a = call i32 @pthread_mutex_lock(ptr @m)\n%b = call i32 @pthread_mutex_lock(ptr @m)\n"
     "%c = call i32 @pthread_mutex_unlock(ptr @m)",
     {"m"}},
    {"shared", "%a = call i32 @pthread_rwlock_rdlock(ptr @m)", {"m shared"}},
    {"by a function", "call void @take()", {"m"}},
    {"given back by a function", "call void @take()\ncall void @give()", {}},
    {"by a function's parameter", "call void @takeOfParameter(ptr @n)", {"n"}},
    {"by a function, perhaps", "call void @takePerhaps()", {}},
    // It is held on every way, but a call of itself counts as one that takes nothing: too careful.
    {"by a function that calls itself", "call void @takeAtTheEnd()", {}},
    {"on one branch",
     "%a = call i32 @unknown()\n%b = icmp eq i32 %a, 0\nbr i1 %b, label %yes, label %next\n"
     "yes:\ncall void @take()\nbr label %next\nnext:",
     {}},
    {"on both branches",
     "%a = call i32 @unknown()\n%b = icmp eq i32 %a, 0\nbr i1 %b, label %yes, label %no\n"
     "yes:\ncall void @take()\nbr label %next\nno:\ncall void @take()\nbr label %next\nnext:",
     {"m"}},
    {"tried, and it was free",
     "%a = call i32 @pthread_mutex_trylock(ptr @m)\n%b = icmp eq i32 %a, 0\n"
     "br i1 %b, label %next, label %no\nno:\nret i32 0\nnext:",
     {"m"}},
    {"tried, and it was not",
     "%a = call i32 @pthread_mutex_trylock(ptr @m)\n%b = icmp eq i32 %a, 0\n"
     "br i1 %b, label %no, label %next\nno:\nret i32 0\nnext:",
     {}},
};

TEST(Locks, AreWhatIsHeldOnEveryWay) {
  for (const NamesCase& each : kCases) {
    Analysed program(std::string(kDeclarations) + "define i32 @main() {\n" + each.text +
                     "\n%here = load i32, ptr @data\nret i32 0\n}\n");
    ValueAccesses accesses(program.models(), program.module().getDataLayout());
    SpinLocks spinLocks(program.graph(), accesses);
    HandOvers handOvers(program.graph(), program.threads(), accesses);
    Paths paths(program.module().getDataLayout());
    Locks locks(program.graph(), spinLocks, handOvers, paths);
    EXPECT_TRUE(locks.isSettled());
    Names held;
    locks.each(program.instanceOf("main"), {},
               [&](const LockSet& set, const llvm::Instruction& at) {
                 for (const HeldLock& lock : set)
                   if (&at == &program.here())
                     held.insert(program.pointsTo().objectOf(lock.location).site->getName().str() +
                                 (lock.exclusive ? "" : " shared"));
               });
    EXPECT_EQ(held, each.expected) << each.name;
  }
}

} // namespace
} // namespace heddle::analysis
