#!/usr/bin/env python3
"""The time that was given holds, also in runs that take long and for what was found."""

import signal
import time
import unittest

from workshop import Workshop

GRACE = 2.5  # a second, and what a busy machine needs to start and end processes


class Budget(Workshop):
    def timed(self, seconds, *words, code=0):
        begin = time.monotonic()
        report = self.report("check", f"--seconds={seconds}", *words, code=code)
        self.assertLess(time.monotonic() - begin, seconds + GRACE)
        return report

    def test_a_long_run_is_ended(self):
        program = self.build("long_run.cpp", flags=["-O1"])
        begin = time.monotonic()
        self.assertIn("nothing was checked",
                      self.one_sentence("check", "--seconds=2", program, str(10**11), code=1))
        self.assertLess(time.monotonic() - begin, 2 + GRACE)

    def test_confirmations_are_part_of_the_time(self):
        program = self.build("two_bugs.cpp")
        report = self.timed(2, "--keep-going", "--settled-runs=0", program, code=2)
        self.assertEqual(self.failures(report), ["assertion", "deadlock"])

    def test_sampling_has_its_share_when_runs_are_slow(self):
        report = self.timed(4, self.build("slow_races.cpp", flags=["-O1"]), code=2)
        self.assertIn("the time for it was used up", " ".join(report["summary"]))
        self.assertGreater(report["behaviours"], 0)

    def test_what_recordings_of_the_sampling_show_is_forced(self):
        program = self.build("late_race.cpp", flags=["-O1"])
        report = self.timed(10, "--settled-runs=0", program, code=2)
        finding, = report["findings"]
        self.assertEqual((finding["kind"], finding["strategy"]), ("data-race", "directed"))
        self.assertGreater(finding["run"], 100)

    def test_a_signal_ends_a_long_run(self):
        program = self.build("long_run.cpp", flags=["-O1"])
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start("check", program, "1000000000")
            time.sleep(1.5)
            begin = time.monotonic()
            process.send_signal(number)
            output, _ = process.communicate(timeout=30)
            self.assertLess(time.monotonic() - begin, GRACE)
            self.assertEqual(process.returncode, 130)
            self.assertIn("interrupted", output)


if __name__ == "__main__":
    unittest.main()
