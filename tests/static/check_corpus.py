#!/usr/bin/env python3
"""Analyses every program of corpus/static: all marked races must be reported, and few others.

A line counts as reported when one of a finding's sides stands on it.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

# Lines marked NORACE that are reported all the same. This number may only become smaller; a tenth of
# the marked lines is the limit. docs/static.md lists them all.
MOST_FALSE_ALARMS = 51


def programs(corpus):
    listed = subprocess.run([sys.executable, corpus / "list.py"], check=True, capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        program = json.loads(line)
        if program["name"].startswith("static/"):
            yield program


def compile_program(program, options):
    compiler = "heddle-c++" if program["language"] == "c++" else "heddle-cc"
    source = options.corpus / program["file"]
    target = options.work / (source.stem + ".o")
    command = [options.bin / compiler, "-g", "-O1", f"-std={program['std']}", *program["flags"], "-pthread", "-c"]
    subprocess.run([*command, source, "-o", target], check=True)
    return target


def reported_lines(program, options):
    target = compile_program(program, options)
    done = subprocess.run(
        [options.bin / "heddle", "analyze", "--format=json", target], capture_output=True, text=True, timeout=120
    )
    if done.returncode != 0:
        raise RuntimeError(f"{program['name']}: heddle analyze exits with {done.returncode}: {done.stderr}")
    name = os.path.basename(program["file"])
    lines = set()
    for finding in json.loads(done.stdout)["findings"]:
        assert finding["status"] == "potential", finding
        lines |= {site["line"] for site in finding["sites"] if os.path.basename(site["file"]) == name}
    return lines


def main():
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--corpus", "--work"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    wanted = list(programs(options.corpus))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        reported = list(pool.map(lambda program: reported_lines(program, options), wanted))
    missed = false_alarms = races = marked = 0
    for program, lines in zip(wanted, reported):
        not_found = sorted(set(program["race"]) - lines)
        false = sorted(set(program["norace"]) & lines)
        missed += len(not_found)
        false_alarms += len(false)
        races += len(program["race"])
        marked += len(program["norace"])
        if not_found:
            print(f"{program['name']}: races that were not reported, at lines {not_found}")
        if false:
            print(f"{program['name']}: false alarms at lines {false}")
    print(f"{len(wanted)} programs: {races - missed} of {races} lines with races reported, ", end="")
    print(f"{false_alarms} of {marked} lines without ({100 * false_alarms / marked:.1f} %)")
    return 1 if missed or not races or false_alarms > MOST_FALSE_ALARMS else 0


if __name__ == "__main__":
    sys.exit(main())
