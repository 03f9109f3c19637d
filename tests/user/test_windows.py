#!/usr/bin/env python3
"""Failures in windows of long runs, and in runs with some of their points, replay exactly."""

import unittest

from workshop import Workshop


class Windows(Workshop):
    def replayed(self, way):
        program = self.build("long_sums.cpp", flags=["-std=c++20", "-O1"])
        tool = self.bin.parent / "tests" / "bin" / "pass_replayer"
        output = self.run_tool(tool, program, way).stdout
        self.assertRegex(output, r"\n[1-9]\d* failures\n")
        return output

    def test_windows_of_a_pass_at_sync_operations(self):
        self.assertRegex(self.replayed("unthinned"), r"window [1-9]\d* thin 0:")

    def test_windows_of_a_pass_that_is_thinned_out(self):
        self.assertRegex(self.replayed("thinned"), r"window [1-9]\d* thin [1-9]")

    def test_whole_runs_that_are_thinned_out(self):
        self.assertRegex(self.replayed("whole"), r"window 0 thin [1-9]")


if __name__ == "__main__":
    unittest.main()
