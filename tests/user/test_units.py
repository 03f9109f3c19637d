#!/usr/bin/env python3
"""A program of several units that share header code: what is found replays, however it is linked."""

import unittest

from workshop import Workshop


class Units(Workshop):
    def find(self, *flags):
        program = self.build("pool_shutdown.cpp", "pool.cpp", flags=flags)
        done = self.heddle("check", "--runs=2000", program, code=2)
        self.assertNotIn("did not happen again", done.stderr)
        self.assertNotIn("could not be recorded", done.stdout)
        self.assertIn("Interleaving", done.stdout)
        return done.stdout

    def test_memory_that_is_freed_while_its_lock_is_used(self):
        for level in ("-O0", "-O1", "-O2"):
            with self.subTest(level):
                text = self.find(level)
                self.assertRegex(text, r"(heap-use-after-free|double free): .*freed by T0")

    def test_the_digest_of_an_early_finding_is_compared(self):
        program = self.build("pool_shutdown.cpp", "pool.cpp", flags=["-O2"])
        findings = self.report("check", "--runs=2000", program, code=2)["findings"]
        found = next(finding for finding in findings if finding["failure"])
        report = self.report("replay", "--times=5", found["id"], code=2)
        self.assertEqual(report["warnings"], [])
        self.assertEqual(report["runs"], 5)


if __name__ == "__main__":
    unittest.main()
