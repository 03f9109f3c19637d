#!/usr/bin/env python3
"""Each race that `heddle races` confirms in the corpus is in the static set, under the same name.

A bound on the time of each program keeps the test short: most races are confirmed in less.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "corpus")]

from built_program import build_program
from machine import busyness

SECONDS = 2


def programs(corpus):
    listed = subprocess.run([sys.executable, corpus / "list.py"], check=True, capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        program = json.loads(line)
        # The analysis does not know OpenMP, and long programs are not recorded in so little time.
        if not program["twin"] and not program["name"].startswith(("openmp/", "long/")):
            yield program


def run_json(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 2, 4):
        raise RuntimeError(f"{command}: exit status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["findings"]


def check(program, options):
    """The number of confirmed races, and those of them that the analysis does not have."""
    target = build_program(options.bin, options.corpus, program)
    store = options.work / program["name"].replace("/", "_")
    heddle = options.bin / "heddle"
    run = run_json(heddle, "races", "--format=json", "--targets=predicted", "--no-minimize", "-j", "1",
                   "--seconds", f"{SECONDS * busyness():.1f}", "--store", store, target)
    confirmed = [f for f in run if f["kind"] == "data-race" and f["status"] != "potential"]
    if not confirmed:
        return 0, []
    known = {name for f in run_json(heddle, "analyze", "--format=json", target) for name in f["candidates"]}
    return len(confirmed), [f for f in confirmed if not known.issuperset(f["candidates"])]


def main():
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--corpus", "--work"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    races = missing = 0
    wanted = list(programs(options.corpus))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda program: check(program, options), wanted))
    for program, (confirmed, unknown) in zip(wanted, results):
        races += confirmed
        missing += len(unknown)
        for finding in unknown:
            places = [f"{site['access']} {site['object']} at line {site['line']}" for site in finding["sites"]]
            print(f"{program['name']}: confirmed, and not in the static set: {' and '.join(places)}")
    print(f"{races} races confirmed, {missing} of them not in the static set")
    return 1 if missing or races < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
