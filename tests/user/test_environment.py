"""A finding does not depend on where heddle was started: the length of the program's environment and arguments,
open descriptors."""

import os
import unittest
from pathlib import Path

from workshop import Workshop

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "engine"


class Environment(Workshop):
    def test_confirmed_whatever_the_length(self):
        program = self.build("local_account.cpp")
        for length in range(0, 72, 3):
            with self.subTest(length=length):
                self.finding("--store", f"store{length}", program, environment={"PAD": "x" * length})

    def test_confirmed_whatever_the_number(self):
        program = self.build("local_account.cpp")
        for number in range(4):
            with self.subTest(number=number):
                variables = {f"PAD{i}": "" for i in range(number)}
                self.finding("--store", f"store{number}", program, environment=variables)

    def test_replays_in_another_environment(self):
        program = self.build("local_account.cpp")
        finding = self.finding(program)
        for text in ("", "x" * 5000, "y" * 100000):
            self.heddle("replay", finding["id"], code=2, environment={"PAD": text})

    def test_replays_with_other_descriptors(self):
        program = self.build(CORPUS / "blocks_pipe_bug.c", compiler="heddle-cc")
        [first, *others] = (os.open(os.devnull, os.O_RDONLY) for _ in range(3))
        finding = self.finding(program, pass_fds=others)
        for passed in ((), (first,), (first, *others)):
            with self.subTest(passed=passed):
                self.heddle("replay", finding["id"], code=2, pass_fds=passed)


if __name__ == "__main__":
    unittest.main()
