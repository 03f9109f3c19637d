"""Programs that run for long: how much of them is explored, and whether their planted bug is found."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus" / "long"
SECONDS = 30
SEEDS = 10
# Steps after which a run is cut: far beyond what these programs have.
MAX_STEPS = "1000000000"
LIMITS = {"stress": 100, "kernel": 500}  # explored windows and runs in SECONDS, on one core
MOST_MEGABYTES = 2048


class Checked:
    """One `heddle check` on one core: its report, its time and the memory of its largest process."""

    def __init__(self, tools, folder, program, seed):
        store = folder / "store"
        subprocess.run(["rm", "-rf", store], check=True)
        begin = time.monotonic()
        process = subprocess.Popen(
            [tools / "heddle", "check", "-j", "1", f"--seconds={SECONDS}", f"--seed={seed}",
             f"--max-steps={MAX_STEPS}", "--format=json", "--store", store, program],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - begin
        self.code = process.returncode
        self.megabytes = usage.ru_maxrss / 1024
        self.runs = json.loads(output)["runs"] if output.startswith("{") else 0


def build(tools, folder, name):
    programs = {}
    for kind, compiler in ("plain", "clang++-19"), ("heddle", tools / "heddle-c++"):
        programs[kind] = folder / f"{name}.{kind}"
        subprocess.run([compiler, "-std=c++20", "-g", "-O1", "-pthread", CORPUS / f"{name}.cpp", "-o",
                        programs[kind]], check=True)
    return programs


def plain_seconds(program):
    begin = time.monotonic()
    subprocess.run([program], check=True)
    return time.monotonic() - begin


def measure(tools, folder, verdict, only=""):
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Long programs, `heddle check -j 1 --seconds {SECONDS}`; found: of {SEEDS} seeds")
    print(f"  {'program':<20} {'plain s':>8} {'runs':>7} {'MB':>6} {'twin':>5} {'found':>6} {'median s':>9}")
    ok = True
    for source in sorted(CORPUS.glob("*_ok.cpp")):
        name = source.stem[:-len("_ok")]
        if only not in name:
            continue
        twin = build(tools, folder, f"{name}_ok")
        seconds = min(plain_seconds(twin["plain"]) for _ in range(3))
        explored = Checked(tools, folder, twin["heddle"], 1)
        bug = build(tools, folder, f"{name}_bug")
        searches = [Checked(tools, folder, bug["heddle"], seed) for seed in range(1, SEEDS + 1)]
        found = sorted(s.seconds for s in searches if s.code == 2)
        median = found[len(found) // 2] if found else float("nan")
        print(f"  {name:<20} {seconds:>8.2f} {explored.runs:>7} {explored.megabytes:>6.0f} {explored.code:>5} "
              f"{len(found):>6} {median:>9.1f}")
        sys.stdout.flush()
        least = LIMITS[name.rsplit("_", 1)[1]]
        ok &= verdict(f"{name}: exit status of the twin", explored.code, 0)
        ok &= verdict(f"{name}: {least} runs / explored ones", least / max(explored.runs, 1), 1)
        ok &= verdict(f"{name}: MB", explored.megabytes, MOST_MEGABYTES)
        ok &= verdict(f"{name}: seeds without the bug", SEEDS - len(found), 1)
    return ok
