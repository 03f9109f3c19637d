#!/usr/bin/env python3
"""The same run under gdb."""

import re
import unittest

from workshop import Workshop, has_tool

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
        return next(finding for finding in report["findings"] if finding["kind"] == kind)

    def test_stops_at_the_failure_in_the_programs_frame(self):
        found = self.of_kind("assertion")
        text = self.gdb(found, "backtrace", "frame", "print counter")
        self.assertRegex(text, r"heddle: thread T0: .*Assertion `counter == 2' failed")
        line = found["sites"][0]["line"]
        self.assertRegex(text, rf"#\d+ .*main.* at .*two_bugs.cpp:{line}\n")
        self.assertNotIn("heddle::rt", text.split("Assertion `counter == 2' failed.")[-1])
        self.assertIn("= 1\n", text)

    def test_shows_all_threads(self):
        text = self.gdb(self.of_kind("deadlock"), "heddle-threads", "echo --first--\\n",
                        "heddle-backtrace 1", "echo --main--\\n", "heddle-backtrace 0",
                        "echo --end--\\n", "backtrace")
        self.assertRegex(text, r"T0 blocked on Join")
        waits = re.findall(r"T\d blocked on Mutex 0x[0-9a-f]+ <(\w+)>", text)
        self.assertEqual(sorted(waits), ["left", "right"])
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
