#!/usr/bin/env python3
"""Builds and checks the projects of examples/ with an installed heddle, in temporary folders.

HEDDLE_BUILD names heddle's build folder.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SECONDS = 300


def line_with(example, name, text):
    """The line of a file of an example that holds this text."""
    lines = (EXAMPLES / example / name).read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if text in line)


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="heddle-examples-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        cls.prefix = cls.root / "prefix"
        subprocess.run(["cmake", "--install", os.environ["HEDDLE_BUILD"], "--prefix", cls.prefix],
                       check=True, stdout=subprocess.DEVNULL)
        cls.environment = {name: value for name, value in os.environ.items()
                           if not name.startswith("HEDDLE_") and name not in ("CC", "CXX", "MAKEFLAGS")}
        cls.environment["PATH"] = f"{cls.prefix}/bin:{cls.environment['PATH']}"

    def project(self, name):
        """A copy of an example, taken from the installed tree."""
        self.folder = self.root / name
        shutil.copytree(self.prefix / "share" / "doc" / "heddle" / "examples" / name, self.folder)

    def run_tool(self, *words, code=0):
        done = subprocess.run([str(word) for word in words], cwd=self.folder, env=self.environment,
                              text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}")
        return done.stdout

    def check(self, program, code=2, options=()):
        self.run_tool("heddle", "check", "--seconds=60", "--format=json", "--output=report.json",
                      *options, program, code=code)
        return json.loads((self.folder / "report.json").read_text())

    def configure(self):
        self.run_tool("cmake", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.run_tool("cmake", "--build", "build")

    def ctest(self, *words, code):
        """Which tests passed, by name, and the text."""
        text = self.run_tool("ctest", "--test-dir", "build", "--output-on-failure", *words, code=code)
        ends = re.findall(r"Test +#\d+: (\S+) \.*\s*(?:\*\*\*)?(Passed|Failed)", text)
        return {name: end == "Passed" for name, end in ends}, text

    def test_every_example_has_its_readme(self):
        for folder in EXAMPLES.iterdir():
            if folder.is_dir() and folder.name not in ("bank", "ci"):
                self.assertTrue((folder / "README.md").exists(), folder)
                self.assertIn(f"`{folder.name}`", (EXAMPLES / "README.md").read_text())

    def test_make(self):
        self.project("make")
        self.run_tool("make", "CXX=heddle-c++")
        finding = self.check("./resizer")["findings"][0]
        self.assertEqual(finding["failure"]["kind"], "assertion")
        self.assertEqual(finding["failure"]["site"]["line"],
                         line_with("make", "work_queue.h", "assert(!items_.empty())"))
        self.assertIn("SUMMARY: heddle: assertion failure",
                      self.run_tool("heddle", "replay", finding["id"], code=2))
        header = self.folder / "work_queue.h"
        header.write_text(header.read_text().replace("    if (items_.empty() && !closed_)\n      changed_",
                                                     "    while (items_.empty() && !closed_)\n      changed_"))
        self.run_tool("make", "CXX=heddle-c++")
        self.assertEqual(self.check("./resizer", code=0, options=["--runs=3000"])["findings"], [])
        self.run_tool("make", "clean")
        self.run_tool("make")
        self.run_tool("./resizer")

    def test_pthreads(self):
        self.project("pthreads")
        self.run_tool("make", "CC=heddle-cc")
        finding = self.check("./transfer")["findings"][0]
        self.assertEqual(finding["kind"], "deadlock")
        self.assertEqual({site["line"] for site in finding["sites"]},
                         {line_with("pthreads", "account.c", "lock(&to->lock)")})

    def test_cmake(self):
        self.project("cmake")
        self.configure()
        passed, text = self.ctest(code=8)
        del passed["server"]  # without heddle; it has the bug, which shows now and then
        self.assertEqual(passed, {"heddle.server_checked": False, "heddle.server_fixed": True})
        self.assertRegex(text, r"settings\.cpp:\d+:\d+: warning: data race on Settings::loaded_")

    def test_googletest(self):
        self.project("googletest")
        self.configure()
        passed, text = self.ctest("-R", "^heddle", code=8)
        self.assertEqual(passed, {"heddle.OneLamp.IsSoldOnce": False,
                                  "heddle.OneLamp.ComesBack": True})
        self.assertIn("in test OneLamp.IsSoldOnce", text)
        self.assertRegex(text, r'Expected equality of these values: shop.left\("lamp"\), Which is: -1, 0')
        passed, _ = self.ctest("-R", "^Shop", code=0)
        self.assertEqual(passed, {"Shop.SellsWhatItHas": True})
        report = self.check("build/shop_test_heddle")
        self.assertEqual({entry["test"]: entry["status"] for entry in report["tests"]},
                         {"Shop.SellsWhatItHas": "skipped", "OneLamp.IsSoldOnce": "found",
                          "OneLamp.ComesBack": "nothing found"})
        self.run_tool("heddle", "replay", report["findings"][0]["id"], code=2)

    def test_bank(self):
        self.project("bank")
        self.run_tool("heddle-c++", "-std=c++20", "-g", "-O1", "bank.cpp", "-o", "bank")
        self.assertIn("overdrawn", self.check("./bank")["findings"][0]["failure"]["message"])


if __name__ == "__main__":
    unittest.main()
