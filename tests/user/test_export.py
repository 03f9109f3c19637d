#!/usr/bin/env python3
"""A finding in one file, and findings of a program that has changed since."""

import shutil
import unittest

from workshop import PROGRAMS, Workshop


class Export(Workshop):
    def test_one_file_is_enough_in_another_place(self):
        place = self.folder / "first"
        place.mkdir()
        self.build("counter.cpp", output="first/program")
        found = self.finding("--runs=3000", "./program", folder=place)
        done = self.heddle("export", found["id"], folder=place)
        name = f"{found['id']}.heddle"
        self.assertIn(f"heddle replay {name}", done.stdout)
        other = self.folder / "other"
        other.mkdir()
        shutil.move(place / name, other / "bug.heddle")
        shutil.rmtree(place)
        again = self.report("replay", "bug.heddle", folder=other, code=2)
        self.assertEqual(again["findings"][0]["id"], found["id"])
        self.assertEqual(again["outcome"], "failed")
        self.assertEqual([file.name for file in other.iterdir()], ["bug.heddle"])

    def test_a_file_that_is_not_whole_is_refused(self):
        program = self.build("counter.cpp")
        found = self.finding("--runs=3000", program)
        self.heddle("export", found["id"], "--output=whole")
        (self.folder / "cut").write_bytes((self.folder / "whole").read_bytes()[:-100])
        self.assertIn("cut", self.one_sentence("replay", "cut"))


class ChangedProgram(Workshop):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "counter.cpp"
        shutil.copy(PROGRAMS / "counter.cpp", self.source)
        self.program = self.build(self.source)
        self.found = self.finding("--runs=3000", self.program)

    def rebuild(self, before, after):
        text = self.source.read_text()
        self.assertIn(before, text)
        self.source.write_text(text.replace(before, after))
        self.build(self.source)

    def test_lines_may_move(self):
        self.rebuild("#include <cassert>", "// A comment.\n\n#include <cassert>")
        done = self.heddle("replay", self.found["id"], code=2)
        self.assertEqual(done.stdout.count("was built anew"), 1)

    def test_a_failure_that_no_longer_happens(self):
        self.rebuild("assert(counter == 2)", "assert(counter <= 2)")
        done = self.heddle("replay", self.found["id"])
        self.assertIn("the recorded failure no longer happens with this schedule", done.stdout)
        self.assertNotIn("lost control", done.stdout + done.stderr)
        self.heddle("minimize", self.found["id"])

    def test_a_repaired_program_says_where_it_differs(self):
        self.rebuild("  int seen = counter;\n  counter = seen + 1;",
                     "  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);")
        done = self.heddle("replay", self.found["id"], code=4)
        self.assertEqual(done.stdout.count("was built anew"), 1)
        self.assertIn("the program has changed so that the recorded schedule no longer fits it",
                      done.stderr)
        self.assertNotIn("lost control", done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"they part at step \d+: recorded was T\d .*, "
                                      r"the replay has T\d .*(counter.cpp:\d+|start)")
        self.assertNotIn("warning: counter.cpp", done.stdout)

    def test_a_missing_program_is_one_sentence(self):
        (self.folder / self.program).unlink()
        self.assertIn("No such file", self.one_sentence("replay", self.found["id"]))


if __name__ == "__main__":
    unittest.main()
