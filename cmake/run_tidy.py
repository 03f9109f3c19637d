"""Runs clang-tidy on every source under src/ that the build compiles.

usage: run_tidy.py BUILD ROOT JOBS

What passed is not looked at again until the file, a header of src/ or .clang-tidy changes: its
stamp is in BUILD/lint/. A fresh build folder looks at everything.
"""

import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys

TOOL = "clang-tidy-19"


def sources(build, root):
    prefix = os.path.join(root, "src") + os.sep
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    names = {os.path.realpath(os.path.join(e["directory"], e["file"])) for e in entries}
    return sorted(name for name in names
                  if name.startswith(prefix) and name.endswith((".cpp", ".c")))


def digest(names):
    state = hashlib.sha256()
    for name in sorted(names):
        with open(name, "rb") as file:
            state.update(name.encode() + b"\0" + file.read())
    return state.hexdigest()


def shared_inputs(root):
    """Everything besides the file itself that a verdict may depend on."""
    names = [os.path.join(root, ".clang-tidy")]
    for folder in ("src", "include"):
        for directory, _, files in os.walk(os.path.join(root, folder)):
            names += [os.path.join(directory, name) for name in files
                      if name.endswith((".h", ".def"))]
    return names


def check(build, name, stamp):
    if os.path.exists(stamp):
        return True, ""
    done = subprocess.run([TOOL, "-p", build, "--quiet", name], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    noise = ("warning generated.", "warnings generated.")
    text = "\n".join(line for line in done.stdout.splitlines() if not line.endswith(noise))
    if done.returncode == 0:
        open(stamp, "w", encoding="utf-8").close()
    return done.returncode == 0, text


def main():
    build, root, jobs = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3]
    folder = os.path.join(build, "lint")
    os.makedirs(folder, exist_ok=True)
    shared = digest(shared_inputs(root))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=int(jobs)) as pool:
        futures = {}
        for name in sources(build, root):
            key = hashlib.sha256((shared + digest([name])).encode()).hexdigest()
            futures[pool.submit(check, build, name, os.path.join(folder, key))] = name
        for future in concurrent.futures.as_completed(futures):
            passed, text = future.result()
            failed += not passed
            if not passed:
                print(text)
    if not futures:
        sys.exit("error: the build compiles nothing under src/")
    if failed:
        sys.exit(f"{TOOL}: {failed} of {len(futures)} files have problems")


main()
