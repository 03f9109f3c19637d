#include "static/sharing/ownership.h"

#include "../analysed.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

/// @owner is a std::unique_ptr by its debug information, @plain a pointer.
constexpr const char* kDeclarations = R"(
  declare i32 @pthread_create(ptr, ptr, ptr, ptr)
  declare i32 @pthread_mutex_unlock(ptr)
  declare ptr @malloc(i64)
  @owner = global ptr null, !dbg !0
  @plain = global ptr null
  @flag = global i32 0
  @m = global [40 x i8] zeroinitializer
  define ptr @get() {
    %a = load ptr, ptr @owner
    ret ptr %a
  }
  define ptr @getPlain() {
    %a = load ptr, ptr @plain
    ret ptr %a
  }
  define void @tell() {
    store atomic i32 1, ptr @flag release, align 4
    ret void
  }
  define void @touch() {
    store i32 1, ptr @flag
    ret void
  }
  !llvm.dbg.cu = !{!2}
  !llvm.module.flags = !{!6}
  !0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
  !1 = distinct !DIGlobalVariable(name: "owner", scope: !2, file: !3, line: 1, type: !4,
                                  isLocal: false, isDefinition: true)
  !2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, emissionKind: FullDebug)
  !3 = !DIFile(filename: "a.cpp", directory: "/")
  !4 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "unique_ptr<int>", scope: !5,
                                 size: 64, elements: !7, identifier: "_ZTSSt10unique_ptrIiE")
  !5 = !DINamespace(name: "std", scope: null)
  !6 = !{i32 2, !"Debug Info Version", i32 3}
  !7 = !{}
)";

struct Case {
  const char* name;
  const char* text; ///< makes %p
  Owned expected;
};

const Case kCases[] = {
    {"read from the owner", "%p = load ptr, ptr @owner", Owned::Tied},
    {"read from a pointer", "%q = load ptr, ptr @owner\n%p = load ptr, ptr @plain", Owned::No},
    {"told by an atomic store",
     "%p = load ptr, ptr @owner\nstore atomic i32 1, ptr @flag release, align 4", Owned::No},
    {"told by a mutex", "%p = load ptr, ptr @owner\n%a = call i32 @pthread_mutex_unlock(ptr @m)",
     Owned::No},
    {"told before it was read",
     "%a = call i32 @pthread_mutex_unlock(ptr @m)\n%p = load ptr, ptr @owner", Owned::Tied},
    {"told by a function", "%p = load ptr, ptr @owner\ncall void @tell()", Owned::No},
    {"a function that tells nothing", "%p = load ptr, ptr @owner\ncall void @touch()", Owned::Tied},
    {"read by a function", "%p = call ptr @get()", Owned::Tied},
    {"read by a function from a pointer", "%q = call ptr @get()\n%p = call ptr @getPlain()",
     Owned::No},
    {"a part of it", "%q = load ptr, ptr @owner\n%p = getelementptr i8, ptr %q, i64 4",
     Owned::Tied},
    {"on both ways",
     "%a = load i32, ptr @flag\n%b = icmp eq i32 %a, 0\nbr i1 %b, label %one, label %other\n"
     "one:\n%q = load ptr, ptr @owner\nbr label %next\n"
     "other:\n%r = call ptr @get()\nbr label %next\n"
     "next:\n%p = phi ptr [%q, %one], [%r, %other]",
     Owned::Tied},
    {"on one way",
     "%a = load i32, ptr @flag\n%b = icmp eq i32 %a, 0\nbr i1 %b, label %one, label %other\n"
     "one:\n%q = load ptr, ptr @owner\nbr label %next\n"
     "other:\n%r = load ptr, ptr @plain\nbr label %next\n"
     "next:\n%p = phi ptr [%q, %one], [%r, %other]",
     Owned::No},
};

TEST(Ownership, LastsUntilTheThreadTellsSomething) {
  for (const Case& each : kCases) {
    Analysed program(std::string("define i32 @main() {\n%new = call ptr @malloc(i64 8)\n"
                                 "store ptr %new, ptr @owner\nstore ptr %new, ptr @plain\n") +
                     each.text + "\n%here = load i32, ptr %p\nret i32 0\n}\n" + kDeclarations);
    Escape escape(program.pointsTo(), program.threads());
    Paths paths(program.module().getDataLayout());
    Ownership ownership(program.graph(), escape, paths);
    EXPECT_TRUE(ownership.isSettled());
    auto answers = ownership.of(program.instanceOf("main"), FreshParameters{});
    ASSERT_TRUE(answers) << each.name;
    EXPECT_EQ(answers->of(program.here(), program.here().getOperand(0)), each.expected)
        << each.name;
  }
}

} // namespace
} // namespace heddle::analysis
