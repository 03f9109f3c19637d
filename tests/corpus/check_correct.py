#!/usr/bin/env python3
"""Checks one correct program of corpus/unusual or corpus/real.

Usage: check_correct.py --bin DIR --corpus DIR --work DIR --seconds N NAME

Compiled with heddle-c++ and started directly it must end well at its full length, as the plain one
does. `heddle check` must make runs that end, of its short form, and find nothing.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from check_program import describe, fail, run_json
from machine import busyness

DIRECT_SECONDS = 100  # a plain run takes less than one


def compile_program(arguments, program):
    executable = arguments.work / "program"
    compiler = "heddle-cc" if program["language"] == "c" else "heddle-c++"
    flags = list(program["flags"])
    for package in program["packages"]:
        flags += subprocess.run(["pkg-config", "--cflags", "--libs", package], check=True,
                                capture_output=True, text=True).stdout.split()
    subprocess.run([arguments.bin / compiler, f"-std={program['std']}", "-g", "-O1", "-pthread",
                    arguments.corpus / program["file"], *flags, "-o", executable], check=True)
    return executable


def run_directly(executable):
    try:
        done = subprocess.run([executable], capture_output=True, text=True, timeout=DIRECT_SECONDS * busyness(),
                              errors="replace")
    except subprocess.TimeoutExpired:
        fail(f"{executable}, started directly, did not end in {DIRECT_SECONDS} s")
    if done.returncode != 0:
        fail(f"{executable}, started directly: exit status {done.returncode}\n{done.stderr[-4000:]}")


def check(arguments, program, executable):
    command = [arguments.bin / "heddle", "check", "--format=json", "--seconds", f"{float(arguments.seconds) * busyness():.1f}",
               "--store", arguments.work / "store", executable, str(program["short"])]
    report = run_json(command, [0])
    if report["findings"] and any(f["status"] != "potential" for f in report["findings"]):
        fail(f"found {report['findings'][0]['message']} in a correct program")
    if report["runs"] < 1:
        fail("no run was made")
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--bin", "--corpus", "--work"):
        parser.add_argument(option, type=Path, required=True)
    parser.add_argument("--seconds", required=True)
    parser.add_argument("name")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    program = describe(arguments.corpus, arguments.name)
    executable = compile_program(arguments, program)
    run_directly(executable)
    report = check(arguments, program, executable)
    print(f"ok: nothing found in {report['runs']} runs")


if __name__ == "__main__":
    main()
