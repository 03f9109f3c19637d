#!/usr/bin/env python3
"""Checks one program of corpus/atomicity: compiles it and runs `heddle atomicity` on it.

Usage: check_atomicity.py --bin DIR --corpus DIR --work DIR NAME

Every violation that is marked must be found harmful, with one of its patterns and every access on a
line that is marked with its role. What is confirmed beside them must be marked as benign and be a
note. Nothing may be found on a line that is marked with NOVIOLATION, and `heddle races` must find
no race. All forced runs must bring the violation about without a thread that had to be let go.
What a finding lists as related is held to the same.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

from built_program import build_program
from check_program import describe, fail, run_json

TRIALS = 20


def roles_fit(finding, violation):
    """Whether the accesses of the finding stand on the lines that the marks give their roles."""
    if finding["pattern"] not in violation["patterns"]:
        return False
    lines = [site["line"] for site in finding["sites"]]
    interleaved = finding["pattern"] in (7, 10, 11)
    second = 2 if interleaved else len(lines) - 1
    intruders = [line for i, line in enumerate(lines) if i not in (0, second)]
    return (lines[0] in violation["first"] and lines[second] in violation["second"]
            and set(intruders) <= set(violation["intruder"]))


def matches(finding, violations):
    return [name for name, violation in violations.items() if roles_fit(finding, violation)]


def check_finding(program, finding):
    """Returns the names of the marked violations that the finding is."""
    text = f"pattern {finding.get('pattern')} at lines {[s['line'] for s in finding['sites']]}"
    if finding["kind"] != "atomicity-violation":
        fail(f"found {finding['kind']} beside the violations: {finding['message']}")
    if finding["status"] == "harmful":
        names = matches(finding, program["violations"])
        if not names:
            fail(f"{text} is harmful and not marked")
        if finding["failure"]["kind"] not in {e["kind"] for e in program["expect"]}:
            fail(f"{text} leads to {finding['failure']['kind']}, which is not marked")
        return names
    if not matches(finding, {**program["violations"], **program["benign"]}):
        fail(f"{text} is confirmed and not marked")
    return []


def with_related(findings):
    """Each pattern: those of one bug are one finding, which lists the others."""
    for finding in findings:
        yield finding
        for related in finding.get("related", []):
            if related["status"] != finding["status"]:
                fail(f"{related['message']} is {related['status']}, as a part of a finding that is "
                     f"{finding['status']}")
            yield {**finding, **related}


def check(arguments, program, executable):
    command = [arguments.bin / "heddle", "atomicity", "--format=json", "--seconds", "300",
               "--trials", str(TRIALS), "--store", arguments.work / "store", executable]
    report = run_json(command, [0] if program["twin"] else [2])
    found = set()
    for finding in with_related(report["findings"]):
        if finding["status"] == "potential":
            continue
        found.update(check_finding(program, finding))
        if finding["probability"] < 0.9:
            fail(f"{finding['message']}: only in {finding['probability']} of the forced runs")
    missing = program["violations"].keys() - found
    if missing:
        fail(f"these violations were not found harmful: {', '.join(sorted(missing))}")
    return report


def check_races(arguments, executable):
    command = [arguments.bin / "heddle", "races", "--format=json", "--seconds", "300", "--store",
               arguments.work / "races", executable]
    report = run_json(command, [0, 2])
    races = [f for f in report["findings"] if f["kind"] == "data-race"]
    if races:
        fail(f"a program whose accesses are all locked has a race: {races[0]['message']}")


def replay(arguments, finding):
    command = [arguments.bin / "heddle", "replay", "--format=json", "--times", "20", "--store",
               arguments.work / "store", finding["id"]]
    report = run_json(command, [2])
    if report["findings"] and report["findings"][0]["id"] != finding["id"]:
        fail(f"replay of {finding['id']} found {report['findings'][0]['id']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--bin", "--corpus", "--work"):
        parser.add_argument(option, type=Path, required=True)
    parser.add_argument("name")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    program = describe(arguments.corpus, arguments.name)
    executable = build_program(arguments.bin, arguments.corpus, program)
    report = check(arguments, program, executable)
    check_races(arguments, executable)
    harmful = [f for f in report["findings"] if f["status"] == "harmful"]
    if harmful:
        replay(arguments, harmful[0])
    print(f"{program['name']}: {len(harmful)} harmful")


if __name__ == "__main__":
    sys.exit(main())
