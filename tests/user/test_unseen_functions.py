#!/usr/bin/env python3
"""The summary names the functions of a program that were compiled without heddle."""

import unittest

from workshop import PROGRAMS, Workshop, has_tool

PLAIN = "clang++-19"


@unittest.skipUnless(has_tool(PLAIN), f"{PLAIN} is not installed")
class UnseenFunctions(Workshop):
    def unseen(self, program):
        report = self.report("check", "--runs=20", program)
        names = [name for module in report["functions_not_seen"] for name in module["functions"]]
        return names, report["not_seen"]

    def test_a_plain_object_and_an_archive(self):
        for level in ("-O0", "-O2"):
            self.run_tool(PLAIN, "-g", level, "-c", PROGRAMS / "plain.cpp", "-o", "plain.o")
            self.run_tool("ar", "rc", "libplain.a", "plain.o")
            for code in ("plain.o", "libplain.a"):
                program = self.build("uses_plain.cpp", code, flags=[level])
                names, not_seen = self.unseen(program)
                self.assertEqual(names, ["plainSum(int)", "Plain::get(int) const"])
                self.assertEqual(len(not_seen), 1)
                self.assertRegex(not_seen[0], r"^2 functions of .*/program compiled without heddle "
                                 r"\(plainSum, Plain::get\)$")
            # Here the linker takes the plain object's copy of the inline function.
            names, _ = self.unseen(self.build("plain.o", "uses_plain.cpp", flags=[level]))
            self.assertEqual(names, ["both(int)", "plainSum(int)", "Plain::get(int) const"])

    def test_nothing_where_heddle_saw_all(self):
        for level in ("-O0", "-O2", "-O3"):
            program = self.build("uses_plain.cpp", "plain.cpp", flags=[level])
            self.assertEqual(self.unseen(program), ([], []))


if __name__ == "__main__":
    unittest.main()
