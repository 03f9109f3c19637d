#!/usr/bin/env python3
"""Programs of ordinary length: nothing is found because a loop is long, and bugs are found within time and memory."""

import resource
import unittest

from workshop import Workshop

CORRECT = (("locked_rounds", "50000"), ("atomic_rounds", "110000"), ("lonely_rounds", "1000000"),
           ("pausing_lock",))
KB_OF_2_GB = 2 << 20


class LongLoops(Workshop):
    def build_long(self, name):
        return self.build(f"long/{name}.cpp", flags=["-std=c++20", "-O1"])

    def test_nothing_is_found_in_correct_programs(self):
        for name, *words in CORRECT:
            with self.subTest(program=name):
                report = self.report("check", "--seconds=8", self.build_long(name), *words)
                self.assertEqual(report["findings"], [])
                self.assertGreater(report["runs"], 0)

    def test_a_stress_test_fails_within_time_and_memory(self):
        program = self.build_long("cache_evicts")
        for rounds in ("5000", "300"):
            with self.subTest(rounds=rounds):
                report = self.report("check", "--seconds=40", f"--store={rounds}", program, rounds,
                                     code=2)
                statuses = {finding["status"] for finding in report["findings"]}
                self.assertLessEqual(statuses, {"confirmed", "harmful"})
                self.assertEqual(self.failures(report), ["assertion"])
                self.assertLess(report["seconds"], 42)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, KB_OF_2_GB)


if __name__ == "__main__":
    unittest.main()
