#!/usr/bin/env python3
"""Sites that the static analysis calls local are: by the marks of small programs, and by what recordings of the corpus
show to be shared."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import sqlite3
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))

from built_program import build_program

MARK = re.compile(r"// (not local|local)$")
LEAST_LOCAL_SITES = 1000  # in all of the corpus: that none are found would prove anything


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 2, 4):
        raise RuntimeError(f"{command}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def compile_program(options, source, target):
    compiler, std = ("heddle-cc", "c17") if source.suffix == ".c" else ("heddle-c++", "c++20")
    run(options.bin / compiler, "-g", "-O1", f"-std={std}", "-pthread", source, "-o", target)


def local_sites(options, program):
    return set(json.loads(run(options.bin / "heddle", "analyze", "--local", "--format=json", program))["local_sites"])


def check_marks(options, source):
    """What is wrong with the marked lines of a program."""
    target = options.work / source.stem
    compile_program(options, source, target)
    local = local_sites(options, target)
    by_line = {}
    for site in accesses_of(options, target):
        if pathlib.Path(site["file"]).name == source.name:
            by_line.setdefault(site["line"], []).append(site["identity"] in local)
    wrong = []
    for number, text in enumerate(source.read_text().splitlines(), 1):
        mark = MARK.search(text)
        if not mark:
            continue
        found = by_line.get(number, [])
        if not found:
            wrong.append(f"{source.name}:{number}: no access")
        elif mark[1] == "local" and not all(found):
            wrong.append(f"{source.name}:{number}: {found.count(False)} of {len(found)} accesses are not called local")
        elif mark[1] == "not local" and any(found):
            wrong.append(f"{source.name}:{number}: {found.count(True)} of {len(found)} accesses are called local")
    return wrong + check_watch(options, target)


def accesses_of(options, target):
    listed = json.loads(run(options.bin / "heddle", "sites", "--format=json", "--store", f"{target}.store", target))
    return [site for site in listed["sites"] if site["kind"] in ("read", "write", "range read", "range write")]


def watched(options, target, sites):
    """What a run says of sites that it is told to be local."""
    names = pathlib.Path(f"{target}.sites")
    names.write_text("\n".join(sorted(sites)))
    return json.loads(run(options.bin / "heddle-bench", "local", "learning", names, "1000", target))


def check_watch(options, target):
    """A wrong list is noticed, a right one is not refuted."""
    wrong = []
    every = {site["identity"] for site in accesses_of(options, target)}
    believed = watched(options, target, every)
    if believed["foreign"] == 0:
        wrong.append(f"{target.name}: all sites are said to be local, and no run has noticed")
    shared = watched(options, target, set())["shared"]
    if shared == 0 or believed["shared"] < shared:
        wrong.append(f"{target.name}: {believed['shared']} of {shared} shared sites are found where all are said to be local")
    if watched(options, target, local_sites(options, target))["foreign"] != 0:
        wrong.append(f"{target.name}: a run has refuted what is local")
    return wrong


def recorded_shared(store):
    """The sites that recordings have shown to be shared."""
    with sqlite3.connect(store / "store.db") as database:
        rows = database.execute("SELECT sites FROM points").fetchall()
    return {f"{site:016x}" for (blob,) in rows for (site,) in struct.iter_unpack("<Q", blob)}


def check_recordings(options, program):
    """The number of local sites, and those of them that recordings have shown to be shared."""
    target = build_program(options.bin, options.corpus, program)
    local = local_sites(options, target)
    store = options.work / f"{program['name'].replace('/', '_')}.store"
    run(options.bin / "heddle", "run", "--runs=1", "--format=json", "--store", store, target)
    shared = recorded_shared(store) if (store / "store.db").exists() else set()
    return program["name"], len(local), sorted(local & shared)


def corpus_programs(options):
    listed = subprocess.run([sys.executable, options.corpus / "list.py"], check=True, capture_output=True, text=True)
    programs = [json.loads(line) for line in listed.stdout.splitlines()]
    return [p for p in programs if not p["twin"] and not p["name"].startswith("static/")]


def main():
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--corpus", "--programs", "--work"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    wrong = [line for source in sorted(options.programs.glob("*.c*")) for line in check_marks(options, source)]
    total = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, count, refuted in pool.map(lambda p: check_recordings(options, p), corpus_programs(options)):
            total += count
            wrong += [f"{name}: site {site} is called local, and a recording shows that it is shared" for site in refuted]
    if total < LEAST_LOCAL_SITES:
        wrong.append(f"only {total} local sites in the corpus")
    print("\n".join(wrong + [f"{total} local sites in the corpus, {len(wrong)} mistakes"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
