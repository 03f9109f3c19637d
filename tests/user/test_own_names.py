#!/usr/bin/env python3
"""Programs that define names of libc themselves: what they define wins, as it does over libc's."""

import itertools
import unittest

from workshop import Workshop, has_tool

LINKERS = [name for name in ("bfd", "lld", "mold")
           if has_tool(f"ld.{name}") or has_tool(f"ld.{name}-19")]

THREAD = """
#include <pthread.h>
static void* work(void* unused) { return unused; }
int main(void) {
  pthread_t thread;
  return pthread_create(&thread, 0, work, 0) || pthread_join(thread, 0);
}
"""


class OwnNames(Workshop):
    def write(self, name, text):
        (self.folder / name).write_text(text)

    def archive(self, name, text):
        self.write(f"{name}.c", text)
        self.run_tool(self.bin / "heddle-cc", "-g", "-c", f"{name}.c")
        self.run_tool("ar", "rcs", f"lib{name}.a", f"{name}.o")

    def refused(self, program, name):
        for words in (("check", program), ("run", program)):
            message = self.heddle(*words, code=4).stderr
            self.assertIn(f"the program defines its own {name}", message)
        self.assertIn(name, self.run_tool(program, code=4).stderr)

    def own_names(self, *flags):
        """The program's own functions are used, the counter's bug is found, the twin is correct."""
        common = ["-O1", "-fno-builtin", *flags]
        found = self.finding("--runs=3000", self.build("own_names.c", flags=common,
                                                       compiler="heddle-cc"))
        self.assertIn("an update was lost", str(found))
        correct = self.build("own_names.c", flags=[*common, "-DCORRECT"], compiler="heddle-cc",
                             output="correct")
        for isolation in ("exec", "fork", "inplace"):
            self.report("check", "--runs=30", f"--isolation={isolation}", correct)
        self.run_tool(correct)

    def test_with_each_linker(self):
        for linker in LINKERS:
            with self.subTest(linker):
                self.own_names(f"-fuse-ld={linker}")

    def test_position_dependent_and_link_time_optimisation(self):
        self.own_names("-no-pie")
        self.own_names("-O2", "-flto", "-fuse-ld=lld")

    def test_cplusplus_with_its_library_linked_in(self):
        self.write("own.cpp", """
            #include <cassert>
            #include <mutex>
            #include <thread>
            extern "C" int connect(const char* name) { return name[0]; }
            std::mutex mutex;
            int calls;
            int main() {
              auto work = [] { std::lock_guard guard(mutex); calls += connect("a") == 'a'; };
              std::thread first(work), second(work);
              first.join();
              second.join();
              assert(calls == 2);
            }""")
        for flags in (["-O1"], ["-O2", "-static-libstdc++", "-static-libgcc"]):
            self.report("check", "--runs=50", self.build("own.cpp", flags=flags))

    def test_archives_are_asked_as_without_heddle(self):
        self.archive("clock", "long time(long* result) { return result ? 1 : 42; }\n")
        self.archive("unused", "int listen(int a) { return a; }\nchar* strstr(void) { return 0; }\n"
                     "int leftInTheArchive = 1;\n")
        self.write("asks.c", "#include <time.h>\nint main(void) { return time(0) != 42; }\n")
        linkers = [linker for linker in LINKERS if linker != "mold"]  # prefers any object
        for compiler, linker in itertools.product(("clang-19", self.bin / "heddle-cc"), linkers):
            self.run_tool(compiler, f"-fuse-ld={linker}", "asks.c", "-L.", "-lclock", "-lunused", "-o", "asks")
            self.run_tool("./asks")
            symbols = self.run_tool("nm", "asks").stdout.split()
            self.assertNotIn("leftInTheArchive", symbols)
        self.report("check", "--runs=20", "./asks")

    def test_an_archive_without_them_changes_nothing(self):
        self.write("asks.c", "#include <time.h>\nint main(void) { return time(0) < 0; }\n")
        self.report("check", "--runs=20", self.build("asks.c", compiler="heddle-cc"))

    def test_what_the_loader_says_comes_next_is_modelled(self):
        """A wrapper's read() that blocks lets the other threads run."""
        self.write("wraps.c", """
            #define _GNU_SOURCE
            #include <assert.h>
            #include <dlfcn.h>
            #include <pthread.h>
            #include <unistd.h>
            static int calls, ends[2];
            ssize_t read(int descriptor, void* bytes, size_t count) {
              ++calls;
              return ((ssize_t(*)(int, void*, size_t))dlsym(RTLD_NEXT, "read"))(descriptor, bytes,
                                                                               count);
            }
            static void* work(void* byte) { return read(ends[0], byte, 1) == 1 ? byte : 0; }
            int main(void) {
              pthread_t thread;
              char byte;
              void* result = 0;
              assert(pipe(ends) == 0 && pthread_create(&thread, 0, work, &byte) == 0);
              usleep(1000);
              assert(write(ends[1], "x", 1) == 1 && pthread_join(thread, &result) == 0);
              assert(result == &byte && byte == 'x' && calls == 1);
            }""")
        program = self.build("wraps.c", flags=["-O1"], compiler="heddle-cc")
        self.assertGreaterEqual(self.report("check", "--runs=50", program)["runs"], 50)
        self.run_tool(program)

    def test_functions_that_control_needs(self):
        for name, text in (
                ("pthread_create", "int pthread_create(void* a, void* b, void* c, void* d)"
                                   " { return a && b && c && d; }\n"),
                ("pthread_mutex_lock", "int pthread_mutex_lock(void* m) { return !m; }\n"),
                ("malloc", "static char heap[1 << 20]; static unsigned long used;\n"
                           "void* malloc(unsigned long n)"
                           " { used += n + 15 & ~15ul; return heap + used - (n + 15 & ~15ul); }\n"
                           "void free(void* p) {}\n")):
            self.write("own.c", text)
            self.write("thread.c", THREAD)
            program = self.build("own.c", "thread.c", flags=["-w"], compiler="heddle-cc")
            with self.subTest(name):
                self.refused(program, name if name != "malloc" else "")

    def test_an_allocator_in_an_archive(self):
        """The runtime's is used, unless something else of the archive's object is, too."""
        self.archive("allocator", "extern char heap[]; char heap[64]; int statistics = 3;\n"
                                  "void* malloc(unsigned long n) { return heap; }\n"
                                  "void free(void* p) { *(volatile int*)0 = 0; }\n")
        self.write("uses.c", "#include <stdlib.h>\n#ifdef ALL\nextern int statistics;\n#else\n"
                             "static int statistics = 3;\n#endif\n"
                             "int main(void) { free(malloc(100)); return statistics != 3; }\n")
        flags = ["-w", "-fno-builtin", "-L."]
        self.run_tool(self.bin / "heddle-cc", *flags, "uses.c", "-lallocator", "-o", "ours")
        self.report("check", "--runs=20", "./ours")
        self.run_tool(self.bin / "heddle-cc", *flags, "-DALL", "uses.c", "-lallocator", "-o",
                      "theirs")
        self.refused("./theirs", "")


if __name__ == "__main__":
    unittest.main()
