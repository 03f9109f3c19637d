"""failures_test.py RUNNER PROGRAM SOURCE MODE...: runs the program and compares with what its source
expects:

  // EXPECT: KIND "text"      the failure, and a part of its message
  // EXPECT: finished STATUS  no failure
  // EXPECT: output "text"    all of stdout
  // EXPECT: anything else    a line that the runner prints
  // SELFTEST: text           HEDDLE_SELFTEST when there is no controller
  // MODES: watchdog          instead of the modes on the command line
  // RESTORABLE: no           does what memory cannot undo: in place there is one run


MODE is alone (no controller), or exec, fork, inplace, watchdog.
"""

import os
import re
import subprocess
import sys
import tempfile

KINDS = ("none", "assertion", "crash", "exception", "deadlock", "hang", "memory-error")
FAILURE_STATUS = 70
RUNS = 20  # in a batch that ends well
BATCHES = 10  # that end with the failure, in one process


def remarks(source, word):
    with open(source, encoding="utf-8") as file:
        return re.findall(rf"^// {word}: (.*)$", file.read(), re.MULTILINE)


def quoted(line):
    return line[line.index('"') + 1 : line.rindex('"')].replace("\\n", "\n")


def expected_status(expected):
    for line in expected:
        if line.startswith("finished "):
            return int(line.split()[1])
    return None


def check(condition, text):
    if not condition:
        print(text)
        sys.exit(1)


def run_alone(program, expected, selftest):
    """Without a controller the message is on stderr."""
    environment = dict(os.environ, HEDDLE_SELFTEST=selftest[0]) if selftest else None
    result = subprocess.run(
        [program], capture_output=True, text=True, timeout=120, env=environment)
    shown = f"status {result.returncode}\n{result.stdout}\n{result.stderr}"
    status = expected_status(expected)
    check(result.returncode == (FAILURE_STATUS if status is None else status), shown)
    for line in expected:
        if line.split()[0] in KINDS:
            check(quoted(line) in result.stderr, f"not on stderr: {line}\n{shown}")
        elif line.startswith("output "):
            check(result.stdout == quoted(line), f"expected {line}\n{shown}")


def run_batch(runner, program, mode, expected, restorable):
    status = expected_status(expected)
    repeated = mode == "fork" or mode == "inplace" and restorable
    runs = RUNS if repeated and status is not None else 1
    batches = BATCHES if repeated and status is None else 1
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [runner, mode, str(runs), str(batches), str(status or 0), program],
            capture_output=True, text=True, timeout=120, cwd=folder)
        with open(os.path.join(folder, "stdout"), encoding="utf-8") as file:
            output = file.read()
        with open(os.path.join(folder, "stderr"), encoding="utf-8") as file:
            errors = file.read()
    shown = f"{result.stdout}\n--- output\n{output}\n--- errors\n{errors}"
    lines = result.stdout.splitlines()
    check(result.returncode == 0, shown)
    if status is not None:
        check(f"runs {runs}" in lines, shown)
    for line in expected:
        if line.split()[0] in KINDS:
            kind = line.split()[0]
            check(any(got.startswith(kind + " ") and quoted(line) in got for got in lines),
                  f"expected {line}\n{shown}")
        elif line.startswith("output "):
            check(output == quoted(line), f"expected {line}\n{shown}")
        else:
            check(line in lines, f"expected {line}\n{shown}")


def main():
    runner, program, source = (os.path.abspath(path) for path in sys.argv[1:4])
    expected = remarks(source, "EXPECT")
    check(expected, f"{source} expects nothing")
    modes = " ".join(remarks(source, "MODES")).split() or sys.argv[4:]
    for mode in modes:
        print(mode)
        if mode == "alone":
            run_alone(program, expected, remarks(source, "SELFTEST"))
        else:
            run_batch(runner, program, mode, expected, not remarks(source, "RESTORABLE"))


main()
