#!/usr/bin/env python3
"""Programs that make threads without end: nothing of heddle's limits looks like a bug of theirs."""

import subprocess
import unittest

from workshop import Workshop

MOST = 65_023  # threads in one run, beside the main thread


class ManyThreads(Workshop):
    def test_memory_does_not_grow_with_the_square_of_the_threads(self):
        program = self.build("thread_churn.cpp", flags=["-O1"])
        done, peak = self.heddle_with_peak("check", "-j", "1", self.seconds(4), program, "joined", "20000")
        self.assertIn("nothing found", done.stdout)
        self.assertLess(peak, 600)

    def test_too_many_threads_are_lost_control_and_no_finding(self):
        program = self.build("thread_churn.cpp", flags=["-O1"])
        done = self.heddle("check", "--runs=2", program, "joined", str(MOST + 1), code=4)
        self.assertIn("more than 65,023 threads", done.stderr)
        self.heddle("run", "--runs=1", program, "joined", str(MOST))

    def test_a_program_that_is_started_directly_has_no_limit(self):
        program = self.build("thread_churn.cpp", flags=["-O1"])
        for kind in ("joined", "detached"):
            done = subprocess.run([program, kind, str(3 * MOST)], cwd=self.folder, env=self.environment,
                                  stderr=subprocess.PIPE, text=True, check=False, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
