"""Concurrent tests from sequential ones: the classes of corpus/synth, beside what Narada's authors saw.

The numbers of the paper are tables 4 and 5 of "Synthesizing Racy Tests" (PLDI 2015). They are of the Java
classes that ours are written after, so that only their order of magnitude can be compared.
"""

import json
import subprocess
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus" / "synth"
SECONDS_PER_TEST = 3
MOST_SYNTHESIS = 60.0  # seconds for all nine without building; the paper: 201
LEAST_SHOWN = 0.9  # of the tests, those that confirm something where they say

# name: (class of the paper, pairs, tests, seconds; races detected, harmful, benign)
PAPER = {
    "write_behind_queue": ("C1", 65, 15, 12.2, 76, 58, 2),
    "synchronized_collection": ("C2", 131, 40, 13.5, 84, 65, 1),
    "char_array_writer": ("C3", 13, 9, 2.2, 8, 7, 1),
    "dynamic_bin": ("C4", 26, 11, 33.0, 4, 2, 0),
    "double_int_index": ("C5", 136, 8, 7.4, 36, 30, 6),
    "scanner": ("C6", 85, 8, 121.7, 89, 15, 62),
    "pooled_executor": ("C7", 4, 4, 3.6, 4, 4, 0),
    "sequence": ("C8", 4, 4, 5.8, 4, 4, 0),
    "char_array_reader": ("C9", 2, 2, 1.9, 2, 2, 0),
}


def synthesize(binaries, folder, name):
    """The report of `heddle synth --check` on one class."""
    program = folder / name
    subprocess.run([binaries / "heddle-c++", "-std=c++20", "-g", "-O1", CORPUS / f"{name}_seq.cpp", "-o",
                    program], check=True)
    count = json.loads(run(binaries, folder, program)[0])["tests"]
    text, code = run(binaries, folder, program, "--check", f"--seconds={SECONDS_PER_TEST * max(1, len(count))}")
    if code not in (0, 2):
        raise SystemExit(f"heddle synth of {name}: exit code {code}\n{text}")
    return json.loads(text)


def run(binaries, folder, program, *options):
    done = subprocess.run([binaries / "heddle", "synth", "--format=json", "--contract=thread-safe",
                           f"--store={folder / 'store'}", *options, program, "-o",
                           folder / f"{program.name}_tests"],
                          stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout, done.returncode


def row(name, report):
    checks = report.get("checks", {"tests": []})["tests"]
    findings = report["findings"]
    harmful = sum(one["status"] == "harmful" or one["kind"] not in ("data-race", "atomicity-violation")
                  for one in findings)
    return {"name": name, "pairs": report["pairs"], "tests": len(report["tests"]),
            "seconds": report["times"]["recording"] + report["times"]["synthesis"],
            "detected": len(findings), "harmful": harmful, "benign": len(findings) - harmful,
            "shown": sum(bool(one["findings"]) and one["announced"] for one in checks), "checked": len(checks)}


def measure(binaries, folder, verdict, only=""):
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{'class':<26} {'pairs':>11} {'tests':>10} {'seconds':>13} {'detected':>10} {'harmful':>9} "
          f"{'benign':>8} {'shown':>10}   (ours/paper)")
    rows = []
    for name, (label, pairs, tests, seconds, detected, harmful, benign) in PAPER.items():
        if only and not any(text in name for text in only.split(",")):
            continue
        one = row(name, synthesize(binaries, folder, name))
        rows.append(one)
        print(f"{label + ' ' + name:<26} {one['pairs']:>6}/{pairs:<4} {one['tests']:>6}/{tests:<3} "
              f"{one['seconds']:>6.1f}/{seconds:<6} {one['detected']:>6}/{detected:<3} "
              f"{one['harmful']:>5}/{harmful:<3} {one['benign']:>5}/{benign:<3} {one['shown']:>5}/{one['checked']}",
              flush=True)
    checked = sum(one["checked"] for one in rows)
    holds = verdict("synthesis of all classes, s", sum(one["seconds"] for one in rows), MOST_SYNTHESIS)
    silent = 1 - sum(one["shown"] for one in rows) / max(1, checked)
    return verdict("share of tests that show nothing where they say", silent, 1 - LEAST_SHOWN) and holds
