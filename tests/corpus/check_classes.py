#!/usr/bin/env python3
"""Explores the programs of corpus/explore and compares the numbers of classes with those that
follow from the programs (classes.txt)."""
import argparse
import json
import pathlib
import subprocess
import sys

EQUIVALENCES = ("value-schedules", "reads-from")


def read_cases(path, program):
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, size, *numbers = line.split()
        name, *more = name.split(",")
        if name == program:
            yield [size, *more], [None if n == "-" else int(n) for n in numbers]


def read_caveats(path, program):
    for line in path.read_text().splitlines():
        name, word, caveat = (line.split(maxsplit=2) + ["", "", ""])[:3]
        if name == program:
            yield word, caveat


def check_caveat(arguments, binary, word, caveat):
    code, report = explore(arguments, binary, [word], "reads-from")
    verdict = report["verdict"]
    wrong = []
    if verdict["exhaustive"] or not any(text.startswith(caveat) for text in verdict["caveats"]):
        wrong.append(f"caveats are {verdict['caveats']}")
    if code != 4 or report["findings"]:
        wrong.append(f"exit code {code}, {len(report['findings'])} findings")
    print(f"{arguments.program} {word}: {'; '.join(wrong) or 'ok'}")
    return bool(wrong)


def build(arguments):
    binary = arguments.work / arguments.program
    arguments.work.mkdir(parents=True, exist_ok=True)
    source = arguments.corpus / "explore" / f"{arguments.program}.cpp"
    subprocess.run([arguments.bin / "heddle-c++", "-std=c++20", "-g", "-O1", source, "-o", binary,
                    "-pthread"], check=True)
    return binary


def explore(arguments, binary, words, equivalence):
    command = [arguments.bin / "heddle", "explore", "--exhaustive", "--format=json",
               f"--equivalence={equivalence}", f"--store={arguments.work / 'store'}",
               "--runs=100000", "--no-minimize", binary, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")


def compare(code, report, classes, failing, deadlocks):
    verdict = report["verdict"]
    expected = {"exhaustive": True, "classes": classes, "complete": classes, "abandoned": 0,
                "blocked": deadlocks, "duplicates": 0, "caveats": []}
    if failing is not None:
        expected["failing"] = failing
    wrong = [f"{key} is {verdict[key]} instead of {value}"
             for key, value in expected.items() if verdict[key] != value]
    fails = verdict["failing"] != 0
    if code != (2 if fails else 0):
        wrong.append(f"exit code {code}: {report.get('lost', '')}")
    if fails != bool(report["findings"]):
        wrong.append(f"{len(report['findings'])} findings")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    for name in ("bin", "corpus", "work"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(),
                            required=True)
    parser.add_argument("program")
    arguments = parser.parse_args()
    binary = build(arguments)
    bad = 0
    cases = list(read_cases(arguments.corpus / "explore" / "classes.txt", arguments.program))
    for words, (value, reads, value_fails, reads_fails, deadlocks) in cases:
        for equivalence, classes, failing in zip(EQUIVALENCES, (value, reads),
                                                 (value_fails, reads_fails)):
            if classes is None:
                continue
            code, report = explore(arguments, binary, words, equivalence)
            wrong = compare(code, report, classes, failing, deadlocks)
            bad += bool(wrong)
            seconds = report["seconds"]
            print(f"{arguments.program} {' '.join(words)} {equivalence}: {classes} classes, "
                  f"{report['verdict']['runs']} runs, {seconds:.2f} s: {'; '.join(wrong) or 'ok'}")
    caveats = list(read_caveats(arguments.corpus / "explore" / "caveats.txt", arguments.program))
    for word, caveat in caveats:
        bad += check_caveat(arguments, binary, word, caveat)
    return 1 if bad or not (cases or caveats) else 0


if __name__ == "__main__":
    sys.exit(main())
