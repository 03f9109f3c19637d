#!/usr/bin/env python3
"""How fast real programs are explored: runs a second beside random sampling of the same program,
and with two processes.

usage: exploration.py BIN_DIRECTORY WORK_DIRECTORY
"""
import json
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: program, size, classes by reads-from
CASES = [("readers", "13", 8192), ("lastzero", "12", 15360), ("reorder", "40", 1681)]
SAMPLED = 4000  # random runs


def build(binaries, work, program):
    binary = work / program
    source = ROOT / "corpus" / "explore" / f"{program}.cpp"
    subprocess.run([binaries / "heddle-c++", "-std=c++20", "-g", "-O1", source, "-o", binary, "-pthread"],
                   check=True)
    return binary


def measure(binaries, work, *words):
    """The report, and the CPU seconds that the command and its programs took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([binaries / "heddle", *words[:1], "--format=json", f"--store={work / 'store'}",
                           "--no-minimize" if words[0] == "explore" else "--keep-going", *words[1:]],
                          capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return json.loads(done.stdout), cpu


def main():
    binaries, work = map(pathlib.Path, sys.argv[1:3])
    work.mkdir(parents=True, exist_ok=True)
    print("Exploration of real programs, reads-from classes; runs by CPU second, on one core")
    print(f"  {'program':<14} {'classes':>8} {'seconds':>8} {'runs/s':>8} {'random':>8} {'ratio':>6} {'-j 2':>6}")
    ok = True
    for program, size, classes in CASES:
        binary = build(binaries, work, program)
        alone, cpu = measure(binaries, work, "explore", "--exhaustive", "-j1", binary, size)
        both, _ = measure(binaries, work, "explore", "--exhaustive", "-j2", binary, size)
        sampled, random_cpu = measure(binaries, work, "run", "--strategy=random", f"--runs={SAMPLED}", "-j1",
                                      "--points=all", binary, size)
        explored = alone["verdict"]["runs"] / cpu
        random = sampled["runs"] / random_cpu
        print(f"  {program + '(' + size + ')':<14} {alone['verdict']['classes']:>8} {alone['seconds']:>8.2f} "
              f"{explored:>8.0f} {random:>8.0f} {explored / random:>6.2f} "
              f"{alone['seconds'] / both['seconds']:>6.2f}")
        ok = ok and alone["verdict"]["classes"] == classes == both["verdict"]["classes"]
        ok = ok and explored >= random / 2
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
