#!/usr/bin/env python3
"""Who waits gives way, who works is left alone, and only a proven repetition is a hang."""

import unittest

from workshop import Workshop

LEVELS = ("-O0", "-O2")
WAITING = ("waits-for-flag", "waits-under-lock", "waits-after-call", "waits-and-counts",
           "waits-for-sleeper", "waits-at-barrier", "counts-on-the-heap")
HANGING = ("hangs-for-flag", "hangs-under-lock", "hangs-for-each-other", "hangs-yielding",
           "hangs-trying")


class Progress(Workshop):
    def test_loops_that_wait_end(self):
        for level in LEVELS:
            program = self.build("progress.cpp", flags=["-std=c++20", level])
            for name in WAITING:
                for strategy in ("none", "random", "pct"):
                    with self.subTest(level=level, name=name, strategy=strategy):
                        report = self.report("run", f"--strategy={strategy}", "--runs=3", program,
                                             name)
                        self.assertEqual((report["findings"], report["cut"]), ([], 0))

    def test_a_thread_that_never_ends_alone_gives_others_a_turn(self):
        program = self.build("progress.cpp", flags=["-std=c++20", "-O1"])
        report = self.report("run", "--strategy=none", "--runs=3", program, "beats")
        self.assertEqual((report["findings"], report["cut"]), ([], 0))

    def test_hangs_are_proven_and_replayed(self):
        for level in LEVELS:
            program = self.build("progress.cpp", flags=["-std=c++20", level])
            for name in HANGING:
                with self.subTest(level=level, name=name):
                    found = self.finding("--runs=50", program, name)
                    self.assertEqual(found["kind"], "hang")
                    for _ in range(3):
                        self.heddle("replay", found["id"], code=2)

    def test_a_counter_of_its_own_is_no_finding(self):
        program = self.build("progress.cpp", flags=["-std=c++20", "-O1"])
        report = self.report("run", "--strategy=none", "--runs=1", "--max-steps=2000000", program,
                             "counts-for-ever", code=4)
        self.assertEqual(report["findings"], [])
        self.assertGreater(report["cut"], 0)

    def test_no_order_is_lost_because_a_loop_is_long(self):
        program = self.build("progress.cpp", flags=["-std=c++20", "-O1"])
        for rounds in (100, 20000):
            with self.subTest(rounds=rounds):
                found = self.finding(self.seconds(30), program, "fails-in-order", rounds)
                self.assertEqual(found["failure"]["kind"], "assertion")


if __name__ == "__main__":
    unittest.main()
