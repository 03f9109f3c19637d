#!/usr/bin/env python3
"""UndefinedBehaviorSanitizer beside heddle."""

import unittest

from workshop import Workshop


class UndefinedSanitizer(Workshop):
    def test_both_work(self):
        program = self.build("counter.cpp", flags=["-fsanitize=undefined"])
        self.assertIn("counter == 2", self.finding("--runs=3000", program)["message"])

    def test_without_its_runtime(self):
        program = self.build("counter.cpp", flags=["-fsanitize=undefined",
                                                   "-fsanitize-trap=undefined"])
        self.assertIn("counter == 2", self.finding("--runs=3000", program)["message"])


if __name__ == "__main__":
    unittest.main()
