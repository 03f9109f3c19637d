#!/usr/bin/env python3
"""Locks of a library without hooks that are futexes: threads that wait for them let others run."""

import unittest

from workshop import PROGRAMS, Workshop, has_tool

PLAIN = "clang-19"
INLINE = ["-DINLINE"]


@unittest.skipUnless(has_tool(PLAIN), f"{PLAIN} is not installed")
class FutexCalls(Workshop):
    def program(self, way, *flags, level="-O1", shared=True):
        code = "libfutex.so" if shared else "futex.o"
        self.run_tool(PLAIN, "-g", level, *way, *(["-shared", "-fPIC"] if shared else ["-c"]),
                      PROGRAMS / "futex_lock.c", "-o", code)
        return self.build("uses_futex_lock.cpp", f"./{code}", flags=["-std=c++20", level, *flags])

    def ways(self):
        """By syscall() and by an instruction, in a library and in the program itself."""
        for way in [], INLINE:
            for level, shared in ("-O0", True), ("-O2", True), ("-O1", False):
                yield self.program(way, level=level, shared=shared)

    def test_every_run_ends(self):
        for program in self.ways():
            self.run_tool(program, "200")
            for isolation in "inplace", "fork", "exec":
                report = self.report("run", "--strategy=random", "--runs=100", "--seed=1",
                                     f"--isolation={isolation}", program)
                self.assertEqual(report["findings"], [])
                self.assertGreaterEqual(report["runs"], 100)

    def test_nothing_is_confirmed_that_the_lock_orders(self):
        for way in [], INLINE:
            program = self.program(way)
            self.report("races", "--seconds=20", program)
            self.assertEqual(self.report("check", "--runs=300", program)["findings"], [])

    def test_long_runs_are_not_cut_short(self):
        report = self.report("check", "--runs=30", "--seconds=100", self.program(INLINE), "5000")
        self.assertEqual(report["findings"], [])
        self.assertGreaterEqual(report["runs"], 30)
        self.assertEqual(report["cut"], 0)

    def test_what_it_does_not_order_is_found_and_replays(self):
        for way in [], INLINE:
            finding = self.finding("--runs=2000", self.program(way, "-DBUG"))
            self.assertEqual(finding["failure"]["kind"] if finding["failure"] else finding["kind"], "assertion")
            self.heddle("replay", "--times=30", finding["replay"].split()[-1], code=2)

    def test_a_library_that_is_loaded_later(self):
        self.run_tool(PLAIN, "-g", "-O1", *INLINE, "-shared", "-fPIC", PROGRAMS / "futex_lock.c", "-o",
                      "libfutex.so")
        program = self.build("loads_futex_lock.cpp", flags=["-std=c++20", "-O1", "-ldl"])
        self.run_tool(program)
        report = self.report("run", "--strategy=random", "--runs=100", "--seed=1", program)
        self.assertEqual(report["findings"], [])
        self.assertGreaterEqual(report["runs"], 100)


if __name__ == "__main__":
    unittest.main()
