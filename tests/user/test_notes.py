#!/usr/bin/env python3
"""What a user hears of a program that misses its input or writes files."""

import os
import pty
import unittest

from workshop import Workshop


class Notes(Workshop):
    def setUp(self):
        super().setUp()
        self.program = self.build("input_and_files.cpp")

    def warnings(self, *words, **settings):
        return self.report("check", "--runs=20", self.program, *words, **settings)["warnings"]

    def at_a_terminal(self, *words):
        controller, terminal = pty.openpty()
        self.addCleanup(os.close, controller)
        self.addCleanup(os.close, terminal)
        return self.warnings(*words, stdin=terminal)

    def test_a_program_that_reads_the_terminal(self):
        warnings = self.at_a_terminal("read")
        self.assertEqual(len(warnings), 1)
        self.assertIn("reads standard input", warnings[0])
        self.assertIn("< input", warnings[0])

    def test_no_word_where_the_input_is_not_read_or_given(self):
        self.assertEqual(self.at_a_terminal("ignore"), [])
        (self.folder / "input").write_text("a line\n")
        with open(self.folder / "input", encoding="utf-8") as file:
            self.assertEqual(self.warnings("read", stdin=file), [])

    def test_files_outside_the_temporary_folder_are_named_once(self):
        target = self.folder / "elsewhere"
        warnings = self.warnings("ignore", target)
        self.assertEqual(len(warnings), 1)
        self.assertIn(f"writes to {target}:", warnings[0])
        self.assertIn("TMPDIR", warnings[0])


if __name__ == "__main__":
    unittest.main()
