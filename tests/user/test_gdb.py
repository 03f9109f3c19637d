#!/usr/bin/env python3
"""The same run under gdb."""

import re
import unittest

from workshop import PROGRAMS, Workshop, has_tool

WORK = r"in work\(.*\) \(first=.* at .*two_bugs.cpp"


@unittest.skipUnless(has_tool("gdb"), "gdb is not installed")
class Gdb(Workshop):
    def gdb(self, finding, *commands):
        words = [word for command in commands for word in ("-ex", command)]
        done = self.heddle("replay", finding["id"], "--", "gdb", "-nx", "-batch", "-ex", "run",
                           *words)
        return done.stdout

    def of_kind(self, kind):
        program = self.build("two_bugs.cpp")
        report = self.report("check", "--keep-going", "--runs=3000", program, code=2)
        return next(finding for finding in report["findings"] if finding["failure"]["kind"] == kind)

    def test_stops_at_the_failure_in_the_programs_frame(self):
        found = self.of_kind("assertion")
        text = self.gdb(found, "backtrace", "frame", "print counter")
        self.assertRegex(text, r"heddle: thread T0: .*Assertion `counter == 2' failed")
        line = found["failure"]["site"]["line"]
        self.assertRegex(text, rf"#\d+ .*main.* at .*two_bugs.cpp:{line}\n")
        self.assertNotIn("heddle::rt", text.split("Assertion `counter == 2' failed.")[-1])
        self.assertIn("= 1\n", text)

    def test_optimised_code_keeps_its_frames_and_lines(self):
        source = (PROGRAMS / "two_checks.cpp").read_text().splitlines()
        line = 1 + next(i for i, text in enumerate(source) if text.endswith("// refused"))
        for level in ("-O1", "-O2"):
            program = self.build("two_checks.cpp", flags=[level])
            text = self.run_tool("gdb", "-nx", "-batch", "-ex", "break abort", "-ex", "run", "-ex",
                                 "backtrace", program).stdout
            self.assertRegex(text, rf"#\d+ .*add \(.*\) at .*two_checks.cpp:{line}\n")
            self.assertRegex(text, r"#\d+ .*main::.*operator\(\).* at .*two_checks.cpp:\d+\n")

    def test_stops_where_the_accesses_of_a_race_meet(self):
        program = self.build("late_race.cpp", flags=["-DALWAYS"])
        report = self.report("check", "--runs=200", program, code=2)
        found = next(f for f in report["findings"] if f["status"] == "confirmed")
        text = self.gdb(found, "heddle-threads")
        lines = {site["line"] for site in found["sites"]}
        said = re.search(r"heddle: thread T(\d): about to (read|write) what T(\d) .*\n"
                         r"#\d+ .* at .*late_race.cpp:(\d+)\n", text)
        self.assertIsNotNone(said, text)
        self.assertIn(int(said[4]), lines)
        self.assertRegex(text, rf"T{said[3]}: runnable, in work at .*late_race.cpp:\d+\n")

    def test_says_one_line_about_the_failure(self):
        text = self.gdb(self.of_kind("assertion"))
        said = text[text.index("heddle: thread"):].splitlines()
        self.assertEqual(len(said), 3, text)
        self.assertRegex(said[1], r"^#\d+ .* main .*two_bugs.cpp:\d+$")
        self.assertNotIn("heddle::rt", text)
        self.assertNotIn("Breakpoint", text)

    def test_stops_at_a_wrong_exit_status(self):
        for level in ("-O0", "-O2"):
            program = self.build("wrong_status.cpp", flags=[level])
            found = self.finding("--runs=3000", program)
            self.assertEqual(found["failure"]["kind"], "exit-status")
            text = self.gdb(found, "print counter", "continue")
            self.assertIn("heddle: thread T0: main returns exit status 3\n#0 ", text)
            self.assertRegex(text, r"#0 .* main .*wrong_status.cpp:")
            self.assertIn("$1 = 1\n", text)
            self.assertIn("exited normally", text[text.index("$1"):], "it stops once")
            found = self.finding("--runs=3000", program, "exit")
            text = self.gdb(found, "print counter")
            self.assertIn("heddle: thread T0: the program ends with exit status 3\n", text)
            self.assertRegex(text, r"#\d+ .* main .*wrong_status.cpp:")
            self.assertIn("$1 = 1\n", text)

    def test_shows_all_threads(self):
        text = self.gdb(self.of_kind("deadlock"), "heddle-threads", "echo --first--\\n",
                        "heddle-backtrace 1", "echo --main--\\n", "heddle-backtrace 0",
                        "echo --end--\\n", "backtrace")
        self.assertRegex(text, r"T0: blocked on join of T1, in main at .*two_bugs.cpp:\d+\n")
        waits = re.findall(r"T\d: blocked on mutex (\w+), held by T\d, in work at .*:\d+\n", text)
        self.assertEqual(sorted(waits), ["left", "right"])
        self.assertNotIn("0x", text[text.index("T0:"):text.index("--first--")])
        self.assertRegex(text[text.index("--first--"):text.index("--main--")], WORK)
        main = text[text.index("--main--"):text.index("--end--")]
        self.assertRegex(main, r"main.* at .*two_bugs.cpp")
        self.assertRegex(text[text.index("--end--"):], WORK, "registers are as before")

    def test_wrong_words_are_explained(self):
        found = self.of_kind("deadlock")
        done = self.heddle("replay", found["id"], "--", "gdb", "-nx", "-batch", "-ex", "run", "-ex",
                           "heddle-backtrace 9", code=1)
        self.assertIn("there is no thread 9; heddle-threads lists them", done.stderr)
        done = self.heddle("replay", found["id"], "--", "no-such-tool", code=127)
        self.assertIn("cannot start no-such-tool", done.stderr)


if __name__ == "__main__":
    unittest.main()
