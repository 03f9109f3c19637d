#!/usr/bin/env python3
"""Checks one corpus program: builds it with heddle-c++ and runs `heddle check` on it.

Usage: check_program.py --bin DIR --corpus DIR --work DIR NAME

A program with a bug must give findings, each of a kind that is marked in the source, and a finding
with a place must have it on a marked line (deadlocks and hangs: one of the involved threads). The
bug must replay: the same digest again and again, whatever keeps the runs apart. A correct twin
must give nothing and exit status 0.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from built_program import build_program

REPLAYS = 200  # shared among the ways of isolation


def fail(message):
    print(f"FAIL: {message}")
    sys.exit(1)


def describe(corpus, name):
    listing = subprocess.run([sys.executable, corpus / "list.py", "--name", name, corpus],
                             check=True, capture_output=True, text=True).stdout
    return json.loads(listing)


def run_json(command, expected_codes):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode not in expected_codes:
        fail(f"{' '.join(map(str, command))}\nexit status {done.returncode}, expected one of "
             f"{expected_codes}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return json.loads(done.stdout)


def check(arguments, program, executable):
    command = [arguments.bin / "heddle", "check", "--format=json", "--runs", str(program["runs"]),
               "--seconds", "300", "--store", arguments.work / "store"]
    if program["time"] == "any":
        command.append("--time=any")
    if program["spurious"]:
        command.append("--spurious")
    return run_json([*command, executable], [0] if program["twin"] else [2])


def lines_of(finding, source_name):
    """All lines of the program's own file that the finding names."""
    places = list(finding.get("sites", []))
    failure = finding.get("failure") or {}
    if failure.get("site"):
        places.append(failure["site"])
    for thread in finding.get("threads", []):
        places.extend(thread.get("stack", []))
    for place in list(places):
        places.extend(place.get("stack", []))
    return {p["line"] for p in places if Path(p.get("file", "")).name == source_name}


def failure_kind(finding):
    """Marks say what goes wrong; when a race is its cause, the race is what is reported."""
    return (finding.get("failure") or finding)["kind"]


def check_finding(program, finding):
    expected = {e["kind"] for e in program["expect"]}
    kind = failure_kind(finding)
    if kind not in expected:
        fail(f"found {kind} ({finding['message']}), expected {sorted(expected)}")
    if finding["status"] == "potential":
        fail(f"{finding['id']} is only potential")
    wanted = {e["line"] for e in program["expect"] if e["kind"] == kind}
    named = lines_of(finding, Path(program["file"]).name)
    if not wanted & named:
        fail(f"{finding['kind']} names lines {sorted(named)}, expected one of {sorted(wanted)}")


def check_harmless(program, finding):
    """A race that breaks nothing stands on lines that are marked as racy."""
    racy = {line for lines in program["races"].values() for line in lines} | set(program["race"])
    lines = {site["line"] for site in finding["sites"]}
    if finding["kind"] != "data-race" or not lines <= racy:
        fail(f"found {finding['kind']} on lines {sorted(lines)} ({finding['message']}), and of them "
             f"{sorted(lines & racy)} are marked as racy")


def race_lines(finding):
    return tuple(sorted(site["line"] for site in finding["sites"]))


def check_races(arguments, program, executable):
    """`heddle races` confirms exactly the pairs of lines that are marked."""
    command = [arguments.bin / "heddle", "races", "--format=json", "--seconds", "300", "--store",
               arguments.work / "races", executable]
    report = run_json(command, [0] if program["twin"] else [2])
    confirmed = {race_lines(finding) for finding in report["findings"]
                 if finding["kind"] == "data-race" and finding["status"] != "potential"}
    # One line: it races with itself.
    marked = {tuple(sorted(lines * (2 // len(lines)))): name
              for name, lines in program["races"].items()}
    if confirmed - marked.keys():
        fail(f"races at lines {sorted(confirmed - marked.keys())}, which are not marked")
    missing = sorted(marked[lines] for lines in marked.keys() - confirmed)
    if missing:
        fail(f"these races were not confirmed: {', '.join(missing)}")


def replay(arguments, finding):
    """Replays in every isolation; all digests must be the same."""
    digests = set()
    for isolation, times in (("exec", 20), ("fork", 90), ("inplace", 90)):
        command = [arguments.bin / "heddle", "replay", "--format=json", "--isolation", isolation,
                   "--times", str(times), "--store", arguments.work / "store", finding["id"]]
        report = run_json(command, [2])
        digests.update(report["trace_digests"] if "trace_digests" in report
                       else [report["trace_digest"]])
        if report["runs"] < times:
            fail(f"replay in {isolation} made {report['runs']} runs, expected {times}")
    if len(digests) != 1:
        fail(f"{finding['id']} replayed with {len(digests)} different digests: {sorted(digests)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("name")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    program = describe(arguments.corpus, arguments.name)
    executable = build_program(arguments.bin, arguments.corpus, program)
    report = check(arguments, program, executable)
    if program["twin"]:
        if report["findings"]:
            fail(f"found {report['findings'][0]['kind']} in a correct program: "
                 f"{report['findings'][0]['message']}")
        if report["runs"] < min(program["runs"], 1000):
            fail(f"only {report['runs']} runs were made, expected {program['runs']}")
        if program["name"].startswith("races/"):
            check_races(arguments, program, executable)
        print(f"ok: nothing found in {report['runs']} runs")
        return
    if not report["findings"]:
        fail(f"found nothing in {report['runs']} runs, expected "
             f"{sorted({e['kind'] for e in program['expect']})}")
    if not any(finding["failure"] for finding in report["findings"]):
        fail("only races without harm were found")
    for finding in report["findings"]:
        if finding["failure"]:
            check_finding(program, finding)
        else:
            check_harmless(program, finding)
        replay(arguments, finding)
    if program["races"]:
        check_races(arguments, program, executable)
    print(f"ok: {report['findings'][0]['kind']} after {report['runs']} runs, {REPLAYS} replays")


if __name__ == "__main__":
    main()
