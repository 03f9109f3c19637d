#!/usr/bin/env python3
"""What can be wrong with the input: one sentence each, and the right exit code."""

import json
import os
import pty
import signal
import sqlite3
import struct
import time
import unittest
from pathlib import Path

from workshop import Workshop, busyness


class Programs(Workshop):
    def write(self, name, contents, mode=0o755):
        path = self.folder / name
        path.write_bytes(contents)
        path.chmod(mode)
        return f"./{name}"

    def test_files_that_are_no_program(self):
        instrumented = (self.folder / self.build("counter.cpp")).read_bytes()
        other = bytearray(instrumented)
        other[18:20] = struct.pack("<H", 183)
        narrow = bytearray(instrumented)
        narrow[4] = 1
        old = bytearray(narrow)
        old[18:20] = struct.pack("<H", 3)
        cases = {
            self.plain_program(): "not instrumented: compile it with heddle-c++",
            self.write("script", b"#!/bin/sh\nexit 0\n"): "is a script (/bin/sh)",
            self.write("arm", bytes(other)): "built for AArch64",
            self.write("x32", bytes(narrow)): "built for the x32 ABI",
            self.write("i386", bytes(old)): "built for 32-bit x86",
            self.write("cut", instrumented[:100]): "damaged",
            self.write("empty", b""): "is not a program",
            self.write("locked", instrumented, 0o644): "is not executable: chmod +x",
            "./missing": "No such file",
            "missing": "there is no program 'missing' on the PATH",
            str(self.folder): "is a directory",
        }
        for program, words in cases.items():
            with self.subTest(program=program):
                self.assertIn(words, self.one_sentence("check", program))
                self.assertIn(words, self.one_sentence("sites", program))

    def test_what_must_be_compiled_or_linked_first(self):
        source = self.write("bank.cpp", b"int main() {}\n", 0o644)
        self.run_tool(self.bin / "heddle-c++", "-c", "-g", source, "-o", "bank.o")
        self.run_tool("ar", "rc", "bank.a", "bank.o")
        self.run_tool(self.bin / "heddle-c++", "-g", "-shared", "-fPIC", source, "-o", "bank.so")
        compiled = "compile it first, heddle-c++ -g"
        cases = {
            source: ("is C++ source, not a program", compiled),
            "bank.cpp": ("is C++ source, not a program", compiled),
            self.write("marked.cpp", b"int main() {}\n"): ("is C++ source", compiled),
            self.write("bank.c", b"int main(void) {}\n", 0o644): ("is C source", "heddle-cc -g"),
            self.write("bank.h", b"int x;\n", 0o644): ("is a header", "compile the program"),
            "./bank.o": ("is an object file, not a program", "link it with heddle-c++"),
            "./bank.a": ("is an archive of object files", "with heddle-c++"),
            "./bank.so": ("is a shared library", "name one that uses it"),
            self.write("notes.txt", b"text\n", 0o644): ("is not a program", "heddle-c++"),
        }
        for file, words in cases.items():
            for command in ("check", "races", "run", "atomicity"):
                with self.subTest(file=file, command=command):
                    message = self.one_sentence(command, file)
                    for part in words:
                        self.assertIn(part, message)
                    self.assertNotIn("chmod", message)
        analyzed = self.heddle("analyze", source, code=1).stderr
        self.assertIn("is C++ source", analyzed)
        self.assertIn("compile it first, heddle-c++ -g ./bank.cpp -c", analyzed)

    def plain_program(self):
        self.environment["HEDDLE_PLAIN"] = "1"
        program = self.build("counter.cpp", output="plain", flags=["-pthread"])
        del self.environment["HEDDLE_PLAIN"]
        return program

    def test_without_debug_information_less_is_said(self):
        program = self.build("counter.cpp", flags=["-g0", "-O1"])
        done = self.heddle("check", "--runs=3000", program, code=2)
        self.assertIn("no debug information: compile it with -g", done.stdout)
        self.assertIn("Assertion `counter == 2' failed", done.stdout)
        self.assertNotIn("?:0", done.stdout)


class Input(Workshop):
    def setUp(self):
        super().setUp()
        self.program = self.build("reader.cpp")

    def test_every_run_gets_the_file(self):
        (self.folder / "input").write_text("some text")
        with open(self.folder / "input", encoding="utf-8") as file:
            report = self.report("check", "--runs=50", self.program, "some text", stdin=file)
        self.assertEqual(report["findings"], [])

    def test_without_input_there_is_none(self):
        self.report("check", "--runs=50", self.program, "")

    def test_a_terminal_is_no_input(self):
        master, slave = pty.openpty()
        try:
            begin = time.monotonic()
            self.heddle("check", "--runs=50", self.program, "", stdin=slave)
            self.assertLess(time.monotonic() - begin, 20 * busyness(), "nobody waits for a person")
        finally:
            os.close(master)
            os.close(slave)


class Stores(Workshop):
    def setUp(self):
        super().setUp()
        self.program = self.build("counter.cpp")

    def test_what_can_not_be_kept_is_printed(self):
        (self.folder / "file").write_text("no folder")
        done = self.heddle("check", "--runs=3000", "--store=file", "--format=json", self.program,
                           code=2)
        self.assertIn("cannot create the store file", done.stderr)
        found = json.loads(done.stdout)["findings"][0]
        self.assertIn(found["schedule"], found["replay"], "an id would replay nothing")
        self.run_tool("sh", "-c", found["replay"], code=2)

    def test_another_version_is_left_alone(self):
        self.heddle("check", "--runs=3000", self.program, code=2)
        database = sqlite3.connect(self.folder / ".heddle" / "store.db")
        database.execute("UPDATE schema SET version = 99, heddle = '9.0'")
        database.commit()
        database.close()
        done = self.heddle("check", "--runs=3000", self.program, code=2)
        self.assertIn("format version 99 (written by heddle 9.0)", done.stderr)
        self.assertIn("findings are printed, but not kept", done.stderr)
        self.assertIn("Assertion `counter == 2' failed", done.stdout)
        self.assertIn("format version 99", self.one_sentence("report"))

    def test_a_full_disk_loses_nothing(self):
        done = self.heddle("check", "--runs=3000", "--output=/dev/full", self.program, code=1)
        self.assertIn("cannot write the report to /dev/full: No space left", done.stderr)
        self.assertIn("Assertion `counter == 2' failed", done.stdout)
        self.assertEqual(len(self.report("report", code=2)["findings"]), 1)

    def test_ids_that_are_not_there(self):
        self.heddle("check", "--runs=3000", self.program, code=2)
        for command in ("replay", "export", "report"):
            done = self.heddle(command, "H-0000", code=1)
            self.assertIn("there is no finding H-0000 in the store .heddle", done.stderr)
            self.assertRegex(done.stderr, r"  H-\w+  harmful data-race", "these are there")


class Signals(Workshop):
    def children(self, parent):
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found.append(int(status.parent.name))
        return found

    def test_an_interrupt_keeps_what_was_found(self):
        program = self.build("counter.cpp")
        process = self.start("check", "--keep-going", "--seconds=60", "--settled-runs=0",
                             "--format=json", program)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30 * busyness())
        self.assertEqual(process.returncode, 130, err)
        report = json.loads(out)
        self.assertEqual(self.failures(report), ["assertion"])
        self.assertIn("interrupted", " ".join(report["summary"]))
        self.heddle("replay", report["findings"][0]["id"], code=2)

    def test_an_interrupt_with_nothing_found(self):
        program = self.build("counter.cpp")
        process = self.start("check", "--seconds=60", "--settled-runs=0", program, "locked")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30 * busyness())
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("sampling: interrupted", out)
        self.assertNotIn("lost control", out + err)

    def test_a_program_that_is_killed_from_outside_starts_again(self):
        program = self.build("counter.cpp")
        process = self.start("check", "--seconds=4", "--settled-runs=0", "--format=json", program,
                             "locked")
        time.sleep(1.5)
        victims = self.children(process.pid)
        self.assertNotEqual(victims, [])
        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        out, err = process.communicate(timeout=30 * busyness())
        self.assertEqual(process.returncode, 0, err)
        report = json.loads(out)
        self.assertEqual(report["findings"], [])
        self.assertGreater(report["seconds"], 3.5, "it went on")


if __name__ == "__main__":
    unittest.main()
