#!/usr/bin/env python3
"""heddle doctor and heddle sites are for reading."""

import re
import unittest

from workshop import Workshop


class Doctor(Workshop):
    def test_every_line_is_a_verdict(self):
        done = self.heddle("doctor")
        lines = done.stdout.splitlines()
        for name in ("kernel", "FSGSBASE", "clang", "store"):
            self.assertTrue(any(name in line for line in lines), f"{name} in {done.stdout}")
        for check in self.report("doctor")["checks"]:
            self.assertEqual(check["state"] == "ok", not check.get("advice"), check)


class Sites(Workshop):
    def test_places_accesses_and_names(self):
        program = self.build("counter.cpp", flags=["-O1"])
        text = self.heddle("sites", program).stdout
        self.assertRegex(text, r"counter\.cpp:15:\d+  read of 4 counter  in count\n")
        self.assertRegex(text, r"counter\.cpp:16:\d+  write of 4 counter  in count\n")
        for line in text.splitlines():
            self.assertIsNone(re.search(r"\?:0", line), line)


if __name__ == "__main__":
    unittest.main()
