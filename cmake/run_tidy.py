"""Runs clang-tidy on every source under src/ that the build compiles.

usage: run_tidy.py BUILD ROOT JOBS

What passed is not looked at again until the file, a header that it includes or .clang-tidy
changes: its stamp is in BUILD/lint/. A fresh build folder looks at everything.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

TOOL = "clang-tidy-19"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def sources(build, root):
    prefix = os.path.join(root, "src") + os.sep
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    names = {os.path.realpath(os.path.join(e["directory"], e["file"])) for e in entries}
    return sorted(name for name in names
                  if name.startswith(prefix) and name.endswith((".cpp", ".c")))


class Inputs:
    """The files of the project that a verdict on a source may depend on, by their contents."""

    def __init__(self, root):
        self.root = root
        self.includes = {}

    def included_by(self, name):
        """Of this file, directly; what is not in the project does not count."""
        if name not in self.includes:
            with open(name, encoding="utf-8") as file:
                headers = INCLUDE.findall(file.read())
            places = [os.path.dirname(name)] + [os.path.join(self.root, folder)
                                                for folder in ("src", "include")]
            found = (next((path for place in places
                           if os.path.isfile(path := os.path.normpath(os.path.join(place, header)))),
                          None) for header in headers)
            self.includes[name] = [path for path in found if path]
        return self.includes[name]

    def key(self, source):
        seen, left = set(), [source, os.path.join(self.root, ".clang-tidy")]
        while left:
            name = left.pop()
            if name not in seen:
                seen.add(name)
                left += self.included_by(name)
        state = hashlib.sha256()
        for name in sorted(seen):
            with open(name, "rb") as file:
                state.update(os.path.relpath(name, self.root).encode() + b"\0" + file.read())
        return state.hexdigest()


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
    inputs = Inputs(root)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=int(jobs)) as pool:
        futures = {}
        for name in sources(build, root):
            stamp = os.path.join(folder, inputs.key(name))
            futures[pool.submit(check, build, name, stamp)] = name
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
