#!/usr/bin/env python3
"""HEDDLE_READY() behind a long set-up, and the header without heddle."""

import subprocess
import unittest

from workshop import Workshop


class Ready(Workshop):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"
        self.environment["SET_UP_LOG"] = str(self.log)

    def set_ups(self):
        count = len(self.log.read_text().splitlines())
        self.log.unlink()
        return count

    def test_the_set_up_is_not_repeated_for_every_run(self):
        program = self.build("set_up.cpp", flags=["-O1"])
        report = self.report("check", "--runs=3000", program, "locked")
        self.assertGreaterEqual(report["runs"], 3000)
        self.assertLess(self.set_ups(), 12, "a few processes, and not one for each run")

    def test_a_finding_replays_in_a_fresh_process(self):
        program = self.build("set_up.cpp", flags=["-O1"])
        found = self.finding("--runs=3000", program)
        self.assertEqual(found["failure"]["kind"], "assertion")
        self.assertIn("counter == 2", found["message"])
        self.log.unlink()
        self.heddle("replay", found["id"], code=2)
        self.assertGreaterEqual(self.set_ups(), 1, "a replay sets up anew")

    def test_a_program_that_is_never_ready_loses_control(self):
        program = self.build("set_up.cpp")
        done = self.heddle("check", "--runs=10", program, "skip", code=4)
        self.assertIn("ended before it reached HEDDLE_READY()", done.stderr)


class Header(Workshop):
    def test_c_programs_can_use_it(self):
        program = self.build("annotated.c", compiler="heddle-cc")
        found = self.finding("--runs=3000", program)
        self.assertIn("counter == 2", found["message"])
        self.assertEqual(found["failure"]["site"]["function"], "main")
        self.assertIn("controlled: 1", found["output"])

    def test_it_does_nothing_without_heddle(self):
        include = self.bin.parent / "include"
        if not (include / "heddle").exists():
            include = self.bin.parent.parent / "include"  # a build folder
        for language, compiler in (("c", "clang-19"), ("c++", "clang++-19")):
            source = self.folder / "plain.c"
            source.write_text("#include <heddle/heddle.h>\n"
                              "int main(int argc, char** argv) { (void)argv; HEDDLE_READY();\n"
                              "  HEDDLE_YIELD_POINT(); HEDDLE_HAPPENS_BEFORE(argv);\n"
                              "  HEDDLE_ASSERT(argc == 1); return HEDDLE_CONTROLLED(); }\n")
            self.run_tool(compiler, "-x", language, "-Wall", "-Wextra", "-Werror", f"-I{include}",
                          source, "-o", "plain")
            self.run_tool("./plain")
            done = subprocess.run(["./plain", "argument"], cwd=self.folder, text=True,
                                  capture_output=True, check=False)
            self.assertLess(done.returncode, 0, "aborted")
            self.assertIn("plain.c:4: main: Assertion `argc == 1' failed.", done.stderr)


if __name__ == "__main__":
    unittest.main()
