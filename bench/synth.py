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
TSAN_RUNS = 20
LEAST_TSAN = 0.95  # of the tests with a confirmed race, those of which ThreadSanitizer reports one

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


def by_chance(binaries, folder, name, seconds):
    """How many findings as many tests by chance show in the same time, and how many tests there are."""
    text, code = run(binaries, folder, folder / name, "--random", "--check", f"--seconds={seconds}")
    if code not in (0, 2):
        raise SystemExit(f"heddle synth --random of {name}: exit code {code}\n{text}")
    report = json.loads(text)
    return len(report["findings"]), len(report["tests"])


def racing_tests(report):
    """The tests in which heddle has confirmed a race, but for those that hold a call: nobody else holds it."""
    return [one["test"] for one in report.get("checks", {"tests": []})["tests"] if "data-race" in one["kinds"]]


def seen_by_tsan(folder, name, report):
    """Of the tests with a race, those of which ThreadSanitizer reports one in TSAN_RUNS ordinary runs."""
    built, seen, held = {}, 0, 0
    for test in racing_tests(report):
        file, one = test.split(":")
        source = folder / f"{name}_tests" / file
        if f"void {one}() {{" in source.read_text() and "std::thread held" in body_of(source.read_text(), one):
            held += 1
            continue
        if file not in built:
            built[file] = folder / f"{name}_{source.stem}_tsan"
            subprocess.run(["clang++-19", "-std=c++20", "-g", "-O1", "-w", "-fsanitize=thread", f"-I{CORPUS}", source,
                            "-o", built[file]], check=True)
        seen += any(reports_race(built[file], one) for _ in range(TSAN_RUNS))
    return seen, len(racing_tests(report)) - held


def body_of(text, test):
    return text.split(f"void {test}() {{", 1)[1].split("\n}\n", 1)[0]


def reports_race(program, test):
    done = subprocess.run([program, test], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                          timeout=60, errors="replace")
    return "data race" in done.stderr


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
          f"{'benign':>8} {'shown':>10} {'tsan':>9} {'chance':>11}   (ours/paper; findings/tests by chance)")
    rows = []
    for name, (label, pairs, tests, seconds, detected, harmful, benign) in PAPER.items():
        if only and not any(text in name for text in only.split(",")):
            continue
        report = synthesize(binaries, folder, name)
        one = row(name, report)
        one["tsan"], one["racing"] = seen_by_tsan(folder, name, report)
        chance = by_chance(binaries, folder, name, SECONDS_PER_TEST * max(1, one["tests"]))
        rows.append(one)
        print(f"{label + ' ' + name:<26} {one['pairs']:>6}/{pairs:<4} {one['tests']:>6}/{tests:<3} "
              f"{one['seconds']:>6.1f}/{seconds:<6} {one['detected']:>6}/{detected:<3} "
              f"{one['harmful']:>5}/{harmful:<3} {one['benign']:>5}/{benign:<3} {one['shown']:>5}/{one['checked']:<4} "
              f"{one['tsan']:>4}/{one['racing']:<4} {chance[0]:>5}/{chance[1]}", flush=True)
    checked = sum(one["checked"] for one in rows)
    holds = verdict("synthesis of all classes, s", sum(one["seconds"] for one in rows), MOST_SYNTHESIS)
    silent = 1 - sum(one["shown"] for one in rows) / max(1, checked)
    holds = verdict("share of tests that show nothing where they say", silent, 1 - LEAST_SHOWN) and holds
    missed = 1 - sum(one["tsan"] for one in rows) / max(1, sum(one["racing"] for one in rows))
    return verdict("share of racing tests in which ThreadSanitizer sees nothing", missed, 1 - LEAST_TSAN) and holds
