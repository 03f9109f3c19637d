#!/usr/bin/env python3
"""Lists the corpus: one JSON object per program file, sorted by name, one per line.

Usage: list.py [--check | --correct] [--name NAME] [FOLDER]

FOLDER defaults to the folder of this script. With --name only this program is read, and not its twin. With --check nothing is printed unless something is
wrong. --correct lists the programs of unusual/ and real/, which are correct and have no twin, instead
of the pairs. Malformed markers, a missing twin and contradictions between the two files of a pair go to
standard error in the form file:line: message, and the exit status is 1.

The markers and the header are described in README.md beside this script.
"""

import argparse
import json
import re
import sys
from pathlib import Path

KINDS = (
    "assertion",
    "crash",
    "exception",
    "deadlock",
    "hang",
    "memory-error",
    "exit-status",
)
LANGUAGES = {".c": ("c", "c17"), ".cpp": ("c++", "c++20")}
DEFAULT_RUNS = 1000
# Programs for the analysis of the source alone: no failure is expected of them, only races.
STATIC_FOLDER = "static"
# Programs without main. They are no pairs, and what is expected of them is told in comments.
OPEN_FOLDER = "open"
# Correct programs without a twin: nothing may be found in them.
CORRECT_FOLDERS = ("unusual", "real")
CLASSES_FOLDER = "explore"  # programs with known numbers of classes, in lists of their own
SEQUENTIAL_FOLDER = "synth"  # classes with sequential tests, in which nothing is to be found
# What such a program gets as its argument where little time is to be spent on it.
DEFAULT_SHORT = 200
# Programs in which every access is locked or atomic, and units of work are not atomic.
ATOMICITY_FOLDER = "atomicity"
ROLES = ("first", "second", "intruder")
PATTERNS = range(1, 12)

HEADER = re.compile(r"^// heddle-corpus:(?P<fields>.*)$")
MARKER = re.compile(r"// (?P<marker>EXPECT: (?P<kind>[a-z-]+)|RACE: (?P<names>[\w-]+(, [\w-]+)*)|RACE!|NORACE"
                    r"|(VIOLATION|BENIGN): (?P<violation>[\w-]+/\d+(,\d+)* [a-z]+)|NOVIOLATION)"
                    r"(?= //|$)")
# What looks like an attempt at a marker; whatever MARKER leaves of it is an error.
ATTEMPT = re.compile(r"\bEXPECT|\bNO_?RACE|\bRACE|\b(NO_?)?VIOLATION|\bBENIGN|heddle-corpus")


class Problems:
    """Collects what is wrong, so that one call reports everything at once."""

    def __init__(self):
        self.lines = []

    def add(self, path, line, message):
        self.lines.append(f"{path}:{line}: {message}")


def parse_header(path, text, problems):
    """Reads the optional first line; returns its settings with the defaults filled in."""
    language, std = LANGUAGES[path.suffix]
    settings = {
        "language": language,
        "std": std,
        "flags": [],
        "long": [],
        "runs": DEFAULT_RUNS,
        "time": "default",
        "spurious": False,
    }
    header = HEADER.match(text)
    if not header:
        return settings
    for field in header["fields"].split():
        key, equals, value = field.partition("=")
        if key == "std" and re.fullmatch(r"(c|gnu)(\+\+)?\d\d", value):
            settings["std"] = value
        elif key == "flags" and value:
            settings["flags"] = value.split(",")
        elif key == "long" and value:
            settings["long"] = value.split(",")
        elif key == "runs" and value.isdigit() and int(value) > 0:
            settings["runs"] = int(value)
        elif field == "time=any":
            settings["time"] = "any"
        elif key == "spurious" and not equals:
            settings["spurious"] = True
        else:
            problems.add(path, 1, f"header field '{field}' is unknown or malformed; known are "
                         "std=, flags=, long=, runs=, time=any, spurious")
    return settings


def parse_markers(path, number, text, problems):
    """Returns the markers of one line as (marker, what stands after its colon or None)."""
    found = [(m["marker"].split(":")[0], m["kind"] or m["names"] or m["violation"])
             for m in MARKER.finditer(text)]
    rest = MARKER.sub("", text)
    if ATTEMPT.search(rest):
        problems.add(path, number, "malformed marker; expected '// EXPECT: KIND', '// RACE!', "
                     "'// RACE: NAME, NAME', '// NORACE', '// VIOLATION: NAME/PATTERNS ROLE', "
                     "'// BENIGN: NAME/PATTERNS ROLE' or '// NOVIOLATION' at the end of the line, "
                     "joined by a space")
    for marker, kind in found:
        if marker == "EXPECT" and kind not in KINDS:
            problems.add(path, number, f"unknown kind '{kind}'; known are {', '.join(KINDS)}")
    if found and not text.split("//")[0].strip():
        problems.add(path, number, "marker on a line without code; put it on the line it is about")
    return found


def parse_program(path, root, problems):
    """Reads one program file; returns its description."""
    pair, _, role = path.stem.rpartition("_")
    lines = path.read_text(encoding="utf-8").splitlines()
    settings = parse_header(path, lines[0] if lines else "", problems)
    body_start = 1 if lines and HEADER.match(lines[0]) else 0
    if len(lines) <= body_start or not lines[body_start].startswith("// "):
        problems.add(path, body_start + 1, "the file must start with a comment that says what the "
                     "program is and what is wrong with it (or why it is right)")
    program = {
        "name": str(path.relative_to(root).with_suffix("")),
        "pair": str((path.parent / pair).relative_to(root)),
        "file": str(path.relative_to(root)),
        **settings,
        "expect": [],
        "race": [],
        "races": {},
        "norace": [],
        "violations": {},
        "benign": {},
        "noviolation": [],
        "twin": role == "ok",
    }
    for number, text in enumerate(lines[body_start:], body_start + 1):
        for marker, kind in parse_markers(path, number, text, problems):
            if marker == "EXPECT":
                program["expect"].append({"line": number, "kind": kind})
            elif marker == "RACE":
                for name in kind.split(", "):
                    program["races"].setdefault(name, []).append(number)
            elif marker in ("VIOLATION", "BENIGN"):
                key = "violations" if marker == "VIOLATION" else "benign"
                add_violation(path, number, program[key], kind, problems)
            else:
                key = {"RACE!": "race", "NORACE": "norace", "NOVIOLATION": "noviolation"}[marker]
                program[key].append(number)
    check_violations(path, program, problems)
    check_role(path, program, problems)
    return program


def add_violation(path, number, violations, text, problems):
    """Adds what 'NAME/PATTERNS ROLE' says about the line to the violation of that name."""
    identity, role = text.split()
    name, numbers = identity.split("/")
    patterns = [int(pattern) for pattern in numbers.split(",")]
    if role not in ROLES:
        problems.add(path, number, f"unknown role '{role}'; known are {', '.join(ROLES)}")
        return
    if not set(patterns) <= set(PATTERNS):
        problems.add(path, number, f"patterns {numbers}; known are 1 to {PATTERNS[-1]}")
    violation = violations.setdefault(name, {"patterns": patterns, **{r: [] for r in ROLES}})
    if violation["patterns"] != patterns:
        problems.add(path, number, f"'{name}' has other patterns on another line")
    violation[role].append(number)


def check_violations(path, program, problems):
    for name, violation in {**program["violations"], **program["benign"]}.items():
        for role in ROLES:
            if not violation[role]:
                problems.add(path, 1, f"'{name}' has no line with the role '{role}'")
    if path.parent.name != ATOMICITY_FOLDER:
        return
    if program["twin"] and not program["noviolation"] + list(program["benign"]):
        problems.add(path, 1, "the twin must mark lines that touch the same data correctly with "
                     "'// NOVIOLATION' or '// BENIGN: NAME/PATTERNS ROLE'")
    if not program["twin"] and not program["violations"]:
        problems.add(path, 1, "no '// VIOLATION: NAME/PATTERNS ROLE' marker in a program with a bug")


def check_role(path, program, problems):
    if program["twin"]:
        for expectation in program["expect"]:
            problems.add(path, expectation["line"], "a correct twin must not expect a failure")
        for line in program["race"] + sum(program["races"].values(), []):
            problems.add(path, line, "a correct twin must not contain a race")
        for name, violation in program["violations"].items():
            problems.add(path, violation["first"][0] if violation["first"] else 1,
                         f"violation '{name}' in a correct twin; a harmless one is '// BENIGN'")
        return
    for name, lines in program["races"].items():
        if len(lines) > 2:
            problems.add(path, lines[0], f"race '{name}' has more than two lines")
    if path.parent.name == STATIC_FOLDER:
        check_static(path, program, problems)
        return
    if not program["expect"]:
        problems.add(path, 1, "no '// EXPECT: KIND' marker in a program with a bug")
    for line in program["norace"]:
        problems.add(path, line, "'// NORACE' belongs in the correct twin")


def check_static(path, program, problems):
    """A program with a race for the static analysis: races, and beside them what is none."""
    for expectation in program["expect"]:
        problems.add(path, expectation["line"], "programs for the static analysis expect no failure")
    if not program["race"]:
        problems.add(path, 1, "no '// RACE!' marker in a program with a race")
    for line in sorted(set(program["race"]) & set(program["norace"])):
        problems.add(path, line, "'// RACE!' and '// NORACE' on the same line")


def check_pairs(programs, root, problems):
    """Every pair has exactly one file of each role, in the same language."""
    pairs = {}
    for program in programs:
        pairs.setdefault(program["pair"], []).append(program)
    for pair, members in pairs.items():
        roles = [member["twin"] for member in members]
        first = root / members[0]["file"]
        if sorted(roles) != [False, True]:
            names = ", ".join(member["file"] for member in members)
            problems.add(first, 1, f"'{pair}' needs one _bug and one _ok file, found only {names}")
            continue
        for key in ("language", "std", "flags", "long", "runs", "time", "spurious"):
            if members[0][key] != members[1][key]:
                problems.add(first, 1, f"the two files of a pair differ in '{key}'")
        bug, twin = sorted(members, key=lambda member: member["twin"])
        if bug["race"] and not twin["norace"]:
            problems.add(root / twin["file"], 1, "the twin of a racy program must mark lines that "
                         "touch the same data correctly with '// NORACE'")


def parse_correct(path, root, problems):
    """Reads a correct program without a twin: its header says how to build it, and no more."""
    language = LANGUAGES[path.suffix][0]
    program = {"name": str(path.relative_to(root).with_suffix("")),
               "file": str(path.relative_to(root)), "language": language,
               "std": "gnu17" if language == "c" else "c++20", "flags": [], "packages": [],
               "short": DEFAULT_SHORT}
    lines = path.read_text(encoding="utf-8").splitlines()
    header = HEADER.match(lines[0]) if lines else None
    for field in header["fields"].split() if header else []:
        key, _, value = field.partition("=")
        if key in ("flags", "packages") and value:
            program[key] = value.split(",")
        elif key == "short" and value.isdigit() and int(value) > 0:
            program["short"] = int(value)
        else:
            problems.add(path, 1, f"header field '{field}' is unknown or malformed; known are flags=, "
                         "packages= and short=")
    body = lines[1:] if header else lines
    if not body or not body[0].startswith("// "):
        problems.add(path, 1, "the file must start with a comment that says what the program is")
    for number, text in enumerate(body, 2 if header else 1):
        for marker, _ in parse_markers(path, number, text, problems):
            problems.add(path, number, f"'{marker}' in a correct program without a twin")
    return program


def read_correct(root, problems):
    paths = [path for folder in CORRECT_FOLDERS for path in sorted((root / folder).glob("*"))
             if path.suffix in LANGUAGES]
    return [parse_correct(path, root, problems) for path in paths]


def read_corpus(root, problems):
    programs = []
    for path in sorted(root.rglob("*")):
        if path.suffix not in LANGUAGES or not path.is_file():
            continue
        if path.parent.name in (OPEN_FOLDER, CLASSES_FOLDER, SEQUENTIAL_FOLDER, *CORRECT_FOLDERS):
            continue
        if not path.stem.endswith(("_bug", "_ok")):
            problems.add(path, 1, "the name must end in _bug or _ok")
            continue
        programs.append(parse_program(path, root, problems))
    check_pairs(programs, root, problems)
    return programs


def read_one(root, name, problems):
    """The program of this name, in a list of its own."""
    parse = parse_correct if name.split("/")[0] in CORRECT_FOLDERS else parse_program
    paths = [root / f"{name}{suffix}" for suffix in LANGUAGES]
    return [parse(path, root, problems) for path in paths if path.is_file()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only check, print no programs")
    parser.add_argument("--correct", action="store_true", help="list the programs without a twin")
    parser.add_argument("--name", help="read only this program")
    parser.add_argument("folder", nargs="?", default=Path(__file__).resolve().parent, type=Path)
    arguments = parser.parse_args()

    problems = Problems()
    if arguments.name:
        programs = read_one(arguments.folder, arguments.name, problems)
    else:
        pairs = read_corpus(arguments.folder, problems)
        correct = read_correct(arguments.folder, problems)
        programs = correct if arguments.correct else pairs
    if not programs:
        problems.add(arguments.folder, 1, "no programs found")
    if problems.lines:
        print("\n".join(problems.lines), file=sys.stderr)
        return 1
    if not arguments.check:
        for program in programs:
            print(json.dumps(program))
    return 0


if __name__ == "__main__":
    sys.exit(main())
