#!/usr/bin/env python3
"""Failures in windows of long runs, and in runs with some of their points, replay exactly."""

import re
import unittest

from workshop import Workshop


class Windows(Workshop):
    def replayed(self, way, source="long_sums.cpp", times=1, flags=()):
        program = self.build(source, flags=["-std=c++20", "-O1", *flags])
        tool = self.bin.parent / "tests" / "bin" / "pass_replayer"
        output = self.run_tool(tool, program, way, str(times)).stdout
        self.assertRegex(output, r"\n[1-9]\d* failures\n")
        return output

    def test_windows_of_a_pass_at_sync_operations(self):
        self.assertRegex(self.replayed("unthinned"), r"window [1-9]\d* thin 0 sync 0:")

    def test_windows_of_a_pass_that_is_thinned_out(self):
        self.assertRegex(self.replayed("thinned"), r"window [1-9]\d* thin [1-9]")

    def test_whole_runs_that_are_thinned_out(self):
        self.assertRegex(self.replayed("whole"), r"window 0 thin [1-9]\d* sync 0:")

    def test_whole_runs_whose_locks_are_thinned_out_replay_200_times(self):
        output = self.replayed("whole-sync", "long_locks.cpp", 200)
        self.assertGreaterEqual(len(re.findall(r"^window 0 thin [1-9]\d* sync 16:", output, re.M)), 200)
        # Few of the executions are steps: threads make some 6,000 of them at two locks alone.
        steps = [int(text) for text in re.findall(r", (\d+) steps; again", output)]
        self.assertLess(max(steps), 6000)

    def test_windows_of_a_pass_whose_locks_are_thinned_out(self):
        output = self.replayed("thinned-sync", "long_locks.cpp", 20)
        self.assertRegex(output, r"window [1-9]\d* thin [1-9]\d* sync 16:")

    def test_what_comes_after_such_a_window_is_thinned_out_again(self):
        output = self.replayed("thinned-sync", "long_locks.cpp", 5, ["-DAT_THE_END"])
        found = re.findall(r"window ([1-9]\d*) thin .*?, (\d+) steps; again", output)
        self.assertTrue(found)
        # With a decision at each execution there would be 12,000 steps after a window at the beginning.
        for first, steps in found:
            self.assertLess(int(steps) - int(first), 6000)


if __name__ == "__main__":
    unittest.main()
