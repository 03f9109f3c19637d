#!/usr/bin/env python3
"""heddle analyze finds races without running the program, and says what it can not read."""

import unittest

from workshop import Workshop

STAGES = ("original", "reachable", "aliasing", "escaping", "unlocked", "parallel")


class Analyze(Workshop):
    def test_finds_the_race_of_a_program(self):
        report = self.report("analyze", self.build("counter.cpp", flags=["-O1"]))
        self.assertEqual({finding["kind"] for finding in report["findings"]}, {"data-race"})
        self.assertEqual({finding["status"] for finding in report["findings"]}, {"potential"})
        places = {site["line"] for finding in report["findings"] for site in finding["sites"]}
        self.assertEqual(places, {15, 16})
        counts = [report["stages"][name] for name in STAGES]
        self.assertEqual(counts, sorted(counts, reverse=True), report["stages"])
        self.assertEqual(report["runs"], 0)

    def test_potential_findings_fail_only_when_asked(self):
        program = self.build("counter.cpp", flags=["-O1"])
        self.heddle("analyze", program, code=0)
        self.heddle("analyze", "--fail-on=potential", program, code=2)

    def refused(self, path, *words):
        message = self.heddle("analyze", path, code=1).stderr
        for word in words:
            self.assertIn(word, message)

    def test_files_that_can_not_be_analysed(self):
        self.refused("missing.o", "missing.o", "cannot be read")
        (self.folder / "notes.txt").write_text("no program\n")
        self.refused("notes.txt", "neither an ELF file")
        (self.folder / "plain.c").write_text("int main(void) { return 0; }\n")
        self.run_tool("clang-19", "-c", "plain.c")
        self.refused("plain.o", "has no heddle bitcode", "heddle-cc")
        (self.folder / "part.c").write_text("int twice(int n) { return 2 * n; }\n")
        self.run_tool(self.bin / "heddle-cc", "-g", "-c", "part.c")
        self.refused("part.o", "no main")


if __name__ == "__main__":
    unittest.main()
