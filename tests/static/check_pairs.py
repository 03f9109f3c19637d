#!/usr/bin/env python3
"""Analyses small programs that are correct, and changes of them that are not.

Each file of the folder has a correct program and, in comments `// RACY: old => new`, changes that make a
race of it. Nothing may be reported for the program, and something for each of the changes.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

CHANGE = re.compile(r"^// RACY: (?P<old>.*) => (?P<new>.*)$", re.MULTILINE)


def variants(file):
    source = file.read_text()
    yield file.stem, source, False
    for number, change in enumerate(CHANGE.finditer(source), 1):
        rest = source[source.rindex("// RACY:") :]
        end = source.rindex("// RACY:") + rest.index("\n")
        head, code = source[:end], source[end:]
        assert code.count(change["old"]) == 1, f"{file.name}: {change['old']!r} is not there once"
        yield f"{file.stem}_{number}", head + code.replace(change["old"], change["new"]), True


def reported(options, name, source, suffix):
    file = options.work / (name + suffix)
    file.write_text(source)
    compiler = ["heddle-c++", "-std=c++20"] if suffix == ".cpp" else ["heddle-cc", "-std=c17"]
    target = file.with_suffix(".o")
    command = [options.bin / compiler[0], compiler[1], "-g", "-O1", "-w", "-pthread", *options.flags]
    subprocess.run([*command, "-c", file, "-o", target], check=True)
    done = subprocess.run(
        [options.bin / "heddle", "analyze", "--format=json", target], capture_output=True, text=True, timeout=120
    )
    if done.returncode != 0:
        raise RuntimeError(f"{name}: heddle analyze exits with {done.returncode}: {done.stderr}")
    return len(json.loads(done.stdout)["findings"])


def main():
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--pairs", "--work"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--false-alarms", type=int, default=0, help="that are known; may only become fewer")
    parser.add_argument("--flags", nargs="*", default=[], help="for the compiler, without their dash")
    options = parser.parse_args()
    options.flags = ["-" + flag for flag in options.flags]
    options.work.mkdir(parents=True, exist_ok=True)
    wanted = [
        (*variant, file.suffix)
        for file in sorted(options.pairs.iterdir())
        if file.suffix in (".c", ".cpp")
        for variant in variants(file)
    ]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda each: reported(options, each[0], each[1], each[3]), wanted))
    missed = false_alarms = 0
    for (name, _, racy, _), count in zip(wanted, found):
        if racy and not count:
            missed += 1
            print(f"{name}: the race is not reported")
        elif count and not racy:
            false_alarms += 1
            print(f"{name}: {count} false alarms")
    print(f"{len(wanted)} programs, {missed} with races missed, {false_alarms} with false alarms")
    return 1 if missed or false_alarms > options.false_alarms or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
