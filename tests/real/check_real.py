#!/usr/bin/env python3
"""Checks heddle on code that nobody here wrote.

Usage: check_real.py --bin DIR --work DIR SOURCE [FLAG ...]

NAME_ok must run 1,000 times without a finding; NAME_bug, a misuse of the same library, must give a
confirmed finding of the kind and on the line that its marker says.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

RUNS = 1000
MARKER = re.compile(r"// EXPECT: ([a-z-]+)")


def fail(message):
    print(f"FAIL: {message}")
    sys.exit(1)


def markers(source):
    return {number: match[1] for number, line in enumerate(source.read_text().splitlines(), 1)
            if (match := MARKER.search(line))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("source", type=Path)
    arguments, flags = parser.parse_known_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    program = arguments.work / "program"
    subprocess.run([arguments.bin / "heddle-c++", "-std=c++17", "-g", "-O1", "-pthread", *flags,
                    arguments.source, "-o", program], check=True)
    expected = markers(arguments.source)
    done = subprocess.run([arguments.bin / "heddle", "check", "--format=json", "--runs", str(RUNS),
                           "--seconds", "600", "--store", arguments.work / "store", program],
                          capture_output=True, text=True)
    if done.returncode != (2 if expected else 0):
        fail(f"exit status {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}")
    report = json.loads(done.stdout)
    if not expected:
        if report["findings"] or report["runs"] < RUNS:
            fail(f"{len(report['findings'])} findings in {report['runs']} runs")
        print(f"ok: nothing found in {report['runs']} runs, {report['seconds']:.1f} s")
        return
    # The marker says what fails and where; a race may be what is reported as its cause.
    failures = {(f["failure"]["kind"], f["failure"]["site"]["line"]) for f in report["findings"]
                if f["failure"] and f["failure"]["site"]}
    if not failures & {(kind, line) for line, kind in expected.items()}:
        fail(f"found {failures}, expected {expected}")
    print(f"ok: {sorted(failures)} after {report['runs']} runs, {report['seconds']:.1f} s")


if __name__ == "__main__":
    main()
