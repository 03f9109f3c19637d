#!/usr/bin/env python3
"""Threads that spin where no hook sees it give way, in every kind of run."""

import unittest

from workshop import PROGRAMS, Workshop, has_tool

PLAIN = "clang-19"
ENDING = [("flag",), ("counted",), ("library",), ("assembly",), ("barrier",), ("member",),
          ("sleeper",), ("alarm",)]
COMPUTING = "60000000"


@unittest.skipUnless(has_tool(PLAIN), f"{PLAIN} is not installed")
class UnseenSpins(Workshop):
    def program(self, level="-O1", shared=False):
        if shared:
            code = "libspin.so"
            self.run_tool(PLAIN, "-g", level, "-shared", "-fPIC", PROGRAMS / "spin_library.c", "-o", code)
        else:
            code = "spin.o"
            self.run_tool(PLAIN, "-g", level, "-c", PROGRAMS / "spin_library.c", "-o", code)
        return self.build("unseen_spin.cpp", f"./{code}", flags=["-std=c++20", level])

    def test_a_program_that_is_started_directly_ends(self):
        for level in ("-O0", "-O2"):
            program = self.program(level, shared=level == "-O2")
            for way in ENDING + [("barrier", "300"), ("library", "1000")]:
                self.assertEqual(self.run_tool(program, *way).stdout, "ended\n", (level, way))

    def test_runs_end_whatever_the_schedule(self):
        program = self.program(shared=True)
        for way in ENDING:
            report = self.report("run", "--strategy=random", "--runs=10", "--seed=1", program, *way)
            self.assertEqual(report["findings"], [], way)
            self.assertGreaterEqual(report["runs"], 10, way)

    def test_computing_is_no_spin(self):
        program = self.program()
        report = self.report("run", "--strategy=none", "--runs=1", program, "compute", COMPUTING)
        self.assertEqual(report["findings"], [])
        self.run_tool(program, "compute", COMPUTING)

    def test_a_failure_after_a_spin_replays(self):
        program = self.program()
        report = self.report("run", "--strategy=random", "--runs=500", "--seed=1", program, "failure",
                             code=2)
        [finding] = report["findings"]
        self.assertEqual(finding["status"], "confirmed")
        self.heddle("replay", "--times=50", finding["id"], code=2)

    def test_what_never_ends_is_lost_control(self):
        program = self.program()
        done = self.heddle("check", "--hang-seconds=1", "--seconds=60", program, "for-ever", code=4)
        self.assertIn("without a scheduling point", done.stdout + done.stderr)
        self.assertNotIn("nothing found", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
