#!/usr/bin/env python3
"""Programs that run for long are explored in windows and with some of their points, and what is
found there replays."""

import unittest
from pathlib import Path

from workshop import PROGRAMS, Workshop

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "long"
MAX_STEPS = "--max-steps=1000000000"


class LongRuns(Workshop):
    def program(self, name, *flags):
        return self.build(str(CORPUS / f"{name}.cpp"), flags=["-std=c++20", "-O1", *flags], output=name)

    def check(self, program, seconds, code, *options):
        return self.report("check", "-j", "1", self.seconds(seconds), MAX_STEPS, *options, program,
                           code=code)

    def replay(self, finding):
        self.heddle("replay", "--times=10", finding["id"], code=2)

    def test_a_bug_of_a_long_run_is_found_and_replays(self):
        report = self.check(self.program("states_stress_bug"), 30, 2)
        finding, = report["findings"]
        self.assertEqual(finding["failure"]["kind"], "assertion")
        self.replay(finding)

    def test_what_ends_with_the_process_does_not_prevent_windows(self):
        before = PROGRAMS / "long" / "changes_process.h"
        report = self.check(self.program("states_stress_ok", "-include", before), 10, 0)
        self.assertGreater(report["windows"], 10)

    def test_a_correct_program_is_explored_in_windows(self):
        report = self.check(self.program("states_stress_ok"), 10, 0)
        self.assertEqual(report["findings"], [])
        self.assertGreater(report["runs"], 10)
        self.assertGreater(report["windows"], 10)

    def test_a_race_in_a_kernel_is_forced_with_some_of_its_points(self):
        report = self.check(self.program("stencil_kernel_bug", "-DSWEEPS=10"), 30, 2)
        thinned = [finding for finding in report["findings"] if ";thin=" in finding["schedule"]]
        self.assertNotEqual(thinned, [], report["findings"])
        self.replay(thinned[0])

    def test_a_run_with_more_decisions_than_a_schedule_holds_ends(self):
        program = self.build("many_decisions.cpp", flags=["-std=c++20", "-O1"])
        report = self.report("run", "--strategy=random", "--points=sync", "--runs=1", MAX_STEPS, program)
        self.assertEqual(report["findings"], [])
        self.assertGreater(report["last_run"]["steps"], 12_000_000)
        self.assertEqual(report["last_run"]["outcome"], "finished")

    def test_a_kernel_is_run_often(self):
        report = self.check(self.program("stencil_kernel_ok"), 10, 0)
        self.assertGreater(report["runs"], 60)  # 6 with a decision at each access


if __name__ == "__main__":
    unittest.main()
