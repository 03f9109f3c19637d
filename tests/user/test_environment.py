"""A finding does not depend on the length of the program's environment and arguments."""

import unittest

from workshop import Workshop


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


if __name__ == "__main__":
    unittest.main()
