#include "static/sync/may_happen_in_parallel.h"

#include "../analysed.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

constexpr const char* kDeclarations = R"(
  declare i32 @pthread_create(ptr, ptr, ptr, ptr)
  declare i32 @pthread_join(i64, ptr)
  declare i32 @pthread_detach(i64)
  declare i32 @unknown()
  @data = global i32 0
  @handle = global i64 0
  define ptr @one(ptr %argument) {
    ret ptr null
  }
  define ptr @two(ptr %argument) {
    ret ptr null
  }
  define ptr @parent(ptr %argument) {
    %h = alloca i64
    %a = call i32 @pthread_create(ptr %h, ptr null, ptr @two, ptr null)
    ret ptr null
  }
  define ptr @patientParent(ptr %argument) {
    %h = alloca i64
    %a = call i32 @pthread_create(ptr %h, ptr null, ptr @two, ptr null)
    %b = load i64, ptr %h
    %c = call i32 @pthread_join(i64 %b, ptr null)
    ret ptr null
  }
  define void @startOne() {
    %a = call i32 @pthread_create(ptr @handle, ptr null, ptr @one, ptr null)
    ret void
  }
  define void @joinIt() {
    %a = load i64, ptr @handle
    %b = call i32 @pthread_join(i64 %a, ptr null)
    ret void
  }
  define void @joinPerhaps() {
    %a = call i32 @unknown()
    %b = icmp eq i32 %a, 0
    br i1 %b, label %yes, label %no
  yes:
    call void @joinIt()
    br label %no
  no:
    ret void
  }
)";

const NamesCase kCases[] = {
    {"nothing started", "", {}},
    {"started",
     "%h = alloca i64\n%a = call i32 @pthread_create(ptr %h, ptr null, ptr @one, ptr null)",
     {"one"}},
    {"joined",
     "%h = alloca i64\n%a = call i32 @pthread_create(ptr %h, ptr null, ptr @one, ptr null)\n"
     "%b = load i64, ptr %h\n%c = call i32 @pthread_join(i64 %b, ptr null)",
     {}},
    {"detached",
     "%h = alloca i64\n%a = call i32 @pthread_create(ptr %h, ptr null, ptr @one, ptr null)\n"
     "%b = load i64, ptr %h\n%c = call i32 @pthread_detach(i64 %b)",
     {"one"}},
    {"one of two joined",
     "%h = alloca i64\n%a = call i32 @pthread_create(ptr %h, ptr null, ptr @one, ptr null)\n"
     "%i = alloca i64\n%b = call i32 @pthread_create(ptr %i, ptr null, ptr @two, ptr null)\n"
     "%c = load i64, ptr %h\n%d = call i32 @pthread_join(i64 %c, ptr null)",
     {"two"}},
    {"started by a function", "call void @startOne()", {"one"}},
    {"joined by a function", "call void @startOne()\ncall void @joinIt()", {}},
    {"joined on one way", "call void @startOne()\ncall void @joinPerhaps()", {"one"}},
    {"with the thread's own thread",
     "%h = alloca i64\n%a = call i32 @pthread_create(ptr %h, ptr null, ptr @parent, ptr null)",
     {"parent", "two"}},
    {"a thread's own thread outlives it",
     "%h = alloca i64\n%a = call i32 @pthread_create(ptr %h, ptr null, ptr @parent, ptr null)\n"
     "%b = load i64, ptr %h\n%c = call i32 @pthread_join(i64 %b, ptr null)",
     {"two"}},
    {"a thread that joins its own is gone with it",
     "%h = alloca i64\n"
     "%a = call i32 @pthread_create(ptr %h, ptr null, ptr @patientParent, ptr null)\n"
     "%b = load i64, ptr %h\n%c = call i32 @pthread_join(i64 %b, ptr null)",
     {}},
    {"joined in a loop",
     "%h = alloca i64\nbr label %start\n"
     "start:\n%i = phi i32 [0, %0], [%j, %start]\n"
     "%a = call i32 @pthread_create(ptr %h, ptr null, ptr @one, ptr null)\n"
     "%b = load i64, ptr %h\n%c = call i32 @pthread_join(i64 %b, ptr null)\n"
     "%j = add i32 %i, 1\n%d = icmp eq i32 %j, 4\nbr i1 %d, label %next, label %start\nnext:",
     {}},
};

TEST(MayHappenInParallel, KnowsWhoIsAlive) {
  for (const NamesCase& each : kCases) {
    Analysed program(std::string(kDeclarations) + "define i32 @main() {\n" + each.text +
                     "\n%here = load i32, ptr @data\nret i32 0\n}\n");
    MayHappenInParallel parallel(program.graph(), program.threads());
    EXPECT_TRUE(parallel.isSettled());
    auto all = program.threads().all();
    llvm::BitVector alive =
        parallel.aliveAt(program.instanceOf("main"),
                         llvm::BitVector(static_cast<unsigned>(all.size())), program.here());
    Names names;
    for (unsigned thread : alive.set_bits())
      names.insert(program.pointsTo().instance(all[thread].entry).body->function->getName().str());
    EXPECT_EQ(names, each.expected) << each.name;
  }
}

} // namespace
} // namespace heddle::analysis
