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

    def test_optimisation_while_linking(self):
        for how in ("-flto", "-flto=thin"):
            flags = ["-O2", how, "-fuse-ld=lld"]
            program = self.build("uses_plain.cpp", "plain.cpp", flags=flags)
            self.assertEqual(self.unseen(program), ([], []), how)
            self.run_tool(PLAIN, "-g", "-O2", "-c", PROGRAMS / "plain.cpp", "-o", "plain.o")
            names, _ = self.unseen(self.build("uses_plain.cpp", "plain.o", flags=flags))
            self.assertEqual(names, ["plainSum(int)", "Plain::get(int) const"], how)

    def test_bitcode_that_is_compiled_again(self):
        self.run_tool(self.bin / "heddle-c++", "-O1", "-emit-llvm", "-c", PROGRAMS / "uses_plain.cpp", "-o", "uses.bc")
        self.run_tool(self.bin / "heddle-c++", "-O1", "-c", PROGRAMS / "plain.cpp", "-o", "plain.o")
        program = self.build("uses.bc", "plain.o", flags=["-O2"])
        self.assertEqual(self.unseen(program), ([], []))

    def test_inline_functions_that_are_in_all_callers_have_no_code(self):
        (self.folder / "inlined.cpp").write_text(
            "inline int twice(int value) { return 2 * value; }\n"
            "int four(int value) { return twice(twice(value)); }\n")
        self.run_tool(self.bin / "heddle-c++", "-O2", "-c", "inlined.cpp", "-o", "inlined.o")
        symbols = self.run_tool("nm", "inlined.o").stdout
        self.assertIn("_Z4fouri", symbols)
        self.assertNotIn("twice", symbols)

    def test_nothing_where_heddle_saw_all(self):
        for level in ("-O0", "-O2", "-O3"):
            program = self.build("uses_plain.cpp", "plain.cpp", flags=[level])
            self.assertEqual(self.unseen(program), ([], []))


if __name__ == "__main__":
    unittest.main()
