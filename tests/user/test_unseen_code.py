#!/usr/bin/env python3
"""Nothing is confirmed that code without hooks could order; what it does not order is."""

import unittest

from workshop import PROGRAMS, Workshop, has_tool

PLAIN = "clang-19"


def line_of(program, mark):
    lines = (PROGRAMS / program).read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.endswith(f"// {mark}"))


def lines(finding):
    return sorted(site["line"] for site in finding["sites"])


def confirmed(report):
    return [finding for finding in report["findings"] if finding["status"] != "potential"]


class Assembly(Workshop):
    def test_locks_in_assembly_order(self):
        for level in ("-O0", "-O2"):
            program = self.build("asm_locks.cpp", flags=[level])
            self.assertEqual(confirmed(self.report("races", self.seconds(20), program)), [])
            self.assertEqual(self.report("check", "--runs", "300", program)["findings"], [])

    def test_what_is_outside_of_them_races(self):
        program = self.build("asm_locks.cpp", flags=["-O1", "-DBUG"])
        found = confirmed(self.report("races", self.seconds(20), program, code=2))
        wrong = line_of("asm_locks.cpp", "unlocked")
        self.assertEqual({tuple(lines(f)) for f in found},
                         {(line_of("asm_locks.cpp", "exchanged"), wrong)})


@unittest.skipUnless(has_tool(PLAIN), f"{PLAIN} is not installed")
class UnseenCode(Workshop):
    def shared(self):
        self.run_tool(PLAIN, "-g", "-O1", "-shared", "-fPIC", PROGRAMS / "plain_lock.c", "-o",
                      "libplain.so")
        return ["-L.", "-lplain", "-Wl,-rpath,."]

    def ways(self):
        """The code as a library and as an object of the program itself."""
        yield self.shared()
        self.run_tool(PLAIN, "-g", "-O1", "-c", PROGRAMS / "plain_lock.c", "-o", "plain.o")
        yield ["plain.o"]

    def races(self, program, code=0):
        return self.report("races", self.seconds(20), program, code=code)

    def test_a_lock_of_unseen_code_may_order(self):
        locked = line_of("uses_plain_lock.cpp", "locked")
        for code in self.ways():
            program = self.link("uses_plain_lock.cpp", code)
            report = self.races(program)
            self.assertEqual(confirmed(report), [])
            for finding in report["findings"]:
                self.assertEqual(set(lines(finding)), {locked})
                self.assertRegex(finding["message"], "plain_(un)?lock .*code that heddle does not "
                                 "see, and may order them$")
            self.assertEqual(self.report("check", "--runs", "300", program)["findings"], [])

    def link(self, source, code, *flags):
        self.run_tool(self.bin / "heddle-c++", "-g", "-O1", *flags, PROGRAMS / source, *code, "-o",
                      "program")
        return "./program"

    def test_functions_that_are_found_at_run_time(self):
        program = self.link("uses_plain_lock.cpp", self.shared(), "-DPOINTER")
        self.assertEqual(confirmed(self.races(program)), [])

    def test_what_is_outside_of_the_lock_races(self):
        wrong = line_of("uses_plain_lock.cpp", "unlocked")
        for code in self.ways():
            program = self.link("uses_plain_lock.cpp", code, "-DBUG")
            found = confirmed(self.races(program, code=2))
            self.assertEqual({tuple(lines(f)) for f in found},
                             {(line_of("uses_plain_lock.cpp", "locked"), wrong)})

    def test_a_worker_of_unseen_code_may_order(self):
        program = self.link("uses_plain_worker.cpp", self.shared())
        self.assertEqual(confirmed(self.races(program)), [])

    def test_a_worker_that_nobody_waits_for_races(self):
        program = self.link("uses_plain_worker.cpp", self.shared(), "-DBUG")
        found = confirmed(self.races(program, code=2))
        self.assertEqual([lines(f) for f in found], [[line_of("uses_plain_worker.cpp", "computed"),
                                                     line_of("uses_plain_worker.cpp", "unordered")]])


if __name__ == "__main__":
    unittest.main()
