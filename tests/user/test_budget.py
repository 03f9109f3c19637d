#!/usr/bin/env python3
"""The time that was given holds, also in runs that take long and for what was found."""

import signal
import time
import unittest

from workshop import Workshop, busyness

GRACE = 2.5  # a second, and what it takes to start and end processes beside other tests


class Budget(Workshop):
    def ended_in_time(self, begin, seconds=0):
        """Checks the time since `begin`. A busy machine gets longer, in which a command that does
        not look at the clock would be late in proportion."""
        self.assertLess(time.monotonic() - begin, seconds + GRACE * busyness())

    def timed(self, seconds, *words, command="check", code=0):
        """The report of a command with so much time, as an idle machine would give it."""
        seconds = round(seconds * busyness(), 1)
        begin = time.monotonic()
        report = self.report(command, f"--seconds={seconds}", *words, code=code)
        self.ended_in_time(begin, seconds)
        return report

    def test_a_long_run_is_ended_and_its_place_named(self):
        program = self.build("long_run.cpp", flags=["-O1"])
        for command in ("check", "races", "atomicity"):
            begin = time.monotonic()
            done = self.heddle(command, "--seconds=2", program, str(10**11), code=4)
            self.assertIn("no run came to its end", done.stdout)
            self.assertRegex(done.stderr, r"nothing was checked; thread T\d was in .*:\d+\)")
            self.ended_in_time(begin, 2)

    def test_a_failure_of_long_runs_is_confirmed_first(self):
        program = self.build("torn_cache.cpp", flags=["-O1"])
        report = self.timed(8, program, "400", code=2)
        self.assertEqual(self.failures(report), ["assertion"])
        self.assertTrue(all(finding["status"] != "potential" for finding in report["findings"]))

    def test_findings_of_long_runs_are_reported_in_time(self):
        # Each of them has a schedule of megabytes, to be written down, stored and printed.
        program = self.build("long_patterns.cpp", flags=["-O1"])
        for seconds in (3, 6):
            report = self.timed(seconds, program, command="atomicity", code=None)
            self.assertGreater(report["runs"], 0)

    def test_memory_is_bounded_and_what_does_not_fit_is_said(self):
        program = self.build("torn_cache.cpp", flags=["-O1"])
        for command in ("check", "atomicity"):
            _, peak = self.heddle_with_peak(command, "--seconds=10", "--memory=256", program,
                                            "4000", code=2)
            self.assertLess(peak, 1024)
        done = self.heddle("check", "--runs=20", "--memory=1", self.build("counter.cpp"), "locked")
        self.assertRegex(done.stdout, "not looked at: .*recordings after their first part")
        self.assertIn("--memory is 1 MB", done.stdout)

    def test_runs_counts_all_runs_that_look_for_something(self):
        program = self.build("two_bugs.cpp")
        for command in ("check", "races", "atomicity"):
            for runs in (1, 5, 40):
                report = self.report(command, f"--runs={runs}", "--fail-on=confirmed", program,
                                     code=None)
                self.assertLessEqual(report["runs"], runs, (command, report["summary"]))
        report = self.report("check", "--runs=100", "--keep-going", program, code=2)
        self.assertLessEqual(report["runs"], 100)
        self.assertGreater(report["judging_runs"], 0)
        self.assertIn("confirming and judging: ", " ".join(report["summary"]))

    def test_what_settles_is_tried_in_other_ways_until_the_time_is_over(self):
        program = self.build("counter.cpp")
        begin = time.monotonic()
        report = self.timed(10, program, "locked")
        self.assertGreater(time.monotonic() - begin, 9)
        self.assertIn("something else was tried", " ".join(report["summary"]))

    def test_nothing_found_is_said_only_of_runs_that_ended(self):
        program = self.build("counter.cpp")
        done = self.heddle("check", "--max-steps=5", "--runs=20", program, "locked", code=4)
        self.assertRegex(done.stderr, r"none of \d+ runs? came to its end.*--max-steps")
        self.assertNotIn("nothing found", done.stdout)

    def test_a_program_that_says_how_it_is_used_is_an_error(self):
        program = self.build("usage.cpp")
        for command in ("check", "races", "atomicity"):
            text = self.one_sentence(command, program)
            self.assertIn("status 3", text)
            self.assertIn("usage: program WHAT", text)

    def test_races_goes_on_when_every_run_fails(self):
        report = self.report("races", self.build("usage.cpp"), "fails", code=2)
        self.assertEqual({finding["kind"] for finding in report["findings"]},
                         {"assertion", "data-race"})

    def test_what_a_killed_command_leaves_is_removed_by_the_next(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        self.environment["TMPDIR"] = str(scratch)
        program = self.build("counter.cpp")
        process = self.start("check", "--seconds=60", "--settled-runs=0", program, "locked")
        alive = self.start("check", "--seconds=60", "--settled-runs=0", "--store=other", program,
                           "locked")
        deadline = time.monotonic() + 30 * busyness()
        while len(list(scratch.iterdir())) < 4 and time.monotonic() < deadline:
            time.sleep(0.1)
        process.kill()
        process.wait()
        left = [entry for entry in scratch.iterdir() if f"-{process.pid}-" in entry.name]
        self.assertNotEqual(left, [])
        self.heddle("check", "--runs=5", program, "locked")
        names = [entry.name for entry in scratch.iterdir()]
        self.assertFalse([name for name in names if f"-{process.pid}-" in name], names)
        self.assertTrue([name for name in names if f"-{alive.pid}-" in name], names)

    def test_confirmations_are_part_of_the_time(self):
        program = self.build("two_bugs.cpp")
        report = self.timed(2, "--keep-going", "--settled-runs=0", program, code=2)
        self.assertEqual(self.failures(report), ["assertion", "deadlock"])

    def test_sampling_has_its_share_when_runs_are_slow(self):
        # Not longer on a busy machine: there shall be too little time for all candidates.
        program = self.build("slow_races.cpp", flags=["-O1"])
        report = self.report("check", "--seconds=4", program, code=2)
        self.assertIn("its time limit was reached", " ".join(report["summary"]))
        self.assertGreater(report["behaviours"], 0)

    def test_what_recordings_of_the_sampling_show_is_forced(self):
        program = self.build("late_race.cpp", flags=["-O1"])
        report = self.timed(10, "--settled-runs=0", program, code=2)
        finding, = report["findings"]
        self.assertEqual((finding["kind"], finding["strategy"]), ("data-race", "directed"))
        self.assertGreater(finding["run"], 100)

    def test_a_signal_ends_a_long_run(self):
        program = self.build("long_run.cpp", flags=["-O1"])
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            process = self.start("check", program, "1000000000")
            time.sleep(1.5)
            begin = time.monotonic()
            process.send_signal(number)
            output, _ = process.communicate(timeout=30 * busyness())
            self.ended_in_time(begin)
            self.assertEqual(process.returncode, 130)
            self.assertIn("interrupted", output)


if __name__ == "__main__":
    unittest.main()
