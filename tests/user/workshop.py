"""What the scenarios share: a folder of their own, the compiler, the command.

HEDDLE_BIN names the folder with heddle, heddle-cc and heddle-c++.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from machine import busyness

PROGRAMS = Path(__file__).resolve().parent / "programs"
SECONDS = 120


class Workshop(unittest.TestCase):
    """A test in an empty folder, with heddle's tools first in PATH and no settings of the caller."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heddle-user-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.bin = Path(os.environ["HEDDLE_BIN"])
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("HEDDLE_")}
        self.environment["PATH"] = f"{self.bin}:{self.environment['PATH']}"

    def run_tool(self, *words, code=0, folder=None, environment=None, **settings):
        """Runs a command, which must end with `code`; None: it may find something or not."""
        settings.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run([str(word) for word in words], cwd=folder or self.folder,
                              env={**self.environment, **(environment or {})}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=SECONDS * busyness(),
                              **settings)
        self.assertIn(done.returncode, (0, 2) if code is None else (code,),
                      f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def build(self, *sources, flags=(), output="program", compiler="heddle-c++"):
        """Compiles programs of this folder's `programs`, or files of the test's folder."""
        files = [PROGRAMS / name if (PROGRAMS / name).exists() else name for name in sources]
        self.run_tool(self.bin / compiler, "-g", *flags, *files, "-o", output)
        return f"./{output}"

    @staticmethod
    def seconds(number):
        """The option that gives a command so much time, as idle cores would give it."""
        return f"--seconds={number * busyness():.1f}"

    def heddle(self, *words, code=0, **settings):
        return self.run_tool(self.bin / "heddle", *words, code=code, **settings)

    def heddle_with_peak(self, *words, code=0):
        """As heddle, and the largest number of megabytes that one of its processes had."""
        measure = ("import resource, subprocess, sys; code = subprocess.run(sys.argv[2:]).returncode; "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, "
                   "file=open(sys.argv[1], 'w')); sys.exit(code)")
        peak = self.folder / "peak"
        done = self.run_tool(sys.executable, "-c", measure, peak, self.bin / "heddle", *words,
                             code=code)
        return done, int(peak.read_text())

    def start(self, *words):
        """Starts heddle beside the test; the caller waits for it."""
        process = subprocess.Popen([str(self.bin / "heddle"), *words], cwd=self.folder,
                                   env=self.environment, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def report(self, *words, code=0, **settings):
        """The report of a command as JSON."""
        done = self.heddle(words[0], "--format=json", *words[1:], code=code, **settings)
        return json.loads(done.stdout)

    def finding(self, *words, **settings):
        """The only finding of a check."""
        findings = self.report("check", *words, code=2, **settings)["findings"]
        self.assertEqual(len(findings), 1)
        self.assertIn(findings[0]["status"], ("confirmed", "harmful"))
        return findings[0]

    @staticmethod
    def failures(report):
        """What goes wrong in the findings: the failure, whether or not a race is its cause."""
        return sorted({(finding["failure"] or finding)["kind"] for finding in report["findings"]})

    def one_sentence(self, *words, code=1, **settings):
        """The message of a command that cannot do what it was asked for."""
        done = self.heddle(*words, code=code, **settings)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("heddle: "), lines[0])
        return lines[0]


def has_tool(name):
    return shutil.which(name) is not None
