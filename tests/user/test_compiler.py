#!/usr/bin/env python3
"""Ways to build a program: each must still show its bug."""

import os
import unittest

from workshop import PROGRAMS, Workshop, has_tool


class Builds(Workshop):
    def check(self, program):
        found = self.finding("--runs=3000", program)
        self.assertIn("Assertion", found["message"])
        return found

    def test_in_steps_with_an_archive(self):
        for name in ("library", "uses_library"):
            self.run_tool(self.bin / "heddle-c++", "-g", "-O2", "-c", PROGRAMS / f"{name}.cpp")
        self.run_tool("ar", "rcs", "liblibrary.a", "library.o")
        self.run_tool(self.bin / "heddle-c++", "uses_library.o", "-L.", "-llibrary", "-o", "program")
        self.check("./program")

    def test_shared_library(self):
        self.build("library.cpp", flags=["-fPIC", "-shared", "-Wl,-z,defs"],
                   output="liblibrary.so")
        program = self.build("uses_library.cpp",
                             flags=["-L.", "-llibrary", "-Wl,-rpath,.", "-Wl,-z,defs"])
        # Libraries stand behind what uses them.
        self.check(program)

    def test_levels_of_optimisation(self):
        for level in ("-O0", "-O3"):
            self.check(self.build("library.cpp", "uses_library.cpp", flags=[level]))

    def test_link_time_optimisation(self):
        self.check(self.build("library.cpp", "uses_library.cpp",
                              flags=["-O2", "-flto", "-fuse-ld=lld"]))

    def test_static_libraries_of_the_language(self):
        self.check(self.build("library.cpp", "uses_library.cpp",
                              flags=["-static-libstdc++", "-static-libgcc"]))

    def test_options_of_gcc(self):
        self.check(self.build("library.cpp", "uses_library.cpp",
                              flags=["-fno-var-tracking", "-fno-tree-vectorize", "-Wlogical-op",
                                     "-Werror"]))

    def test_configure_scripts(self):
        (self.folder / "conftest.c").write_text("int main(void) { return sizeof(long) != 8; }\n")
        for settings in ({}, {"HEDDLE_PLAIN": "1"}):
            done = self.run_tool("sh", "-ec", "heddle-cc -o conftest conftest.c && ./conftest",
                                 environment=settings)
            self.assertEqual(done.stdout + done.stderr, "", "configure takes output for a problem")

    @unittest.skipUnless(has_tool("cmake") and has_tool("ninja"), "needs cmake and ninja")
    def test_cmake_project(self):
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\n"
            "project(user LANGUAGES C CXX)\n"
            "find_package(Threads REQUIRED)\n"
            f"add_library(counting SHARED {PROGRAMS}/library.cpp)\n"
            f"add_executable(program {PROGRAMS}/uses_library.cpp)\n"
            "target_link_libraries(program PRIVATE counting Threads::Threads)\n")
        self.run_tool("cmake", "-S", ".", "-B", "out", "-G", "Ninja",
                      "-DCMAKE_C_COMPILER=heddle-cc", "-DCMAKE_CXX_COMPILER=heddle-c++",
                      "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-g -O2")
        self.run_tool("cmake", "--build", "out", "-j", "1")
        self.check("out/program")

    def test_another_malloc(self):
        library = next((path for path in ("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2",
                                          "/usr/lib/x86_64-linux-gnu/libtcmalloc.so.4")
                        if os.path.exists(path)), None)
        if library is None:
            self.skipTest("neither jemalloc nor tcmalloc is installed")
        self.check(self.build("library.cpp", "uses_library.cpp", flags=[library]))


if __name__ == "__main__":
    unittest.main()
