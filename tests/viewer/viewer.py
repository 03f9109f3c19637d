"""Installs, builds and tests the viewer in a folder of the build, so that the source stays clean.

usage: viewer.py SOURCE WORK install|build|test [PART]

install  npm ci, when package-lock.json is another one than the last time
build    the build gives the same bytes as dist/viewer.html of the source
test     the tests of tests/PART.test.mjs, in Debian's Chromium
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
LEAST_NODE = (20, 19)
FILES = [".npmrc", "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.js"]


def skip_without_node():
    """Vite does not start on older versions."""
    advice = f"skipped: the tests of the viewer need node {LEAST_NODE[0]}.{LEAST_NODE[1]} or newer with npm"
    if not shutil.which("node") or not shutil.which("npm"):
        print(f"{advice}; there is none")
        sys.exit(SKIPPED)
    text = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(int(part) for part in re.findall(r"\d+", text)[:2]) < LEAST_NODE:
        print(f"{advice}; this is {text.strip()}")
        sys.exit(SKIPPED)


def copy(source, work):
    work.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(source / name, work / name)
    for folder in ("src", "tests"):
        shutil.rmtree(work / folder, ignore_errors=True)
        shutil.copytree(source / folder, work / folder, ignore=shutil.ignore_patterns("received", "*.sh"))


def install(source, work):
    lock = (source / "package-lock.json").read_bytes()
    if b'"resolved"' in lock:
        sys.exit('package-lock.json names where packages come from; viewer/.npmrc leaves that out, run npm install there')
    stamp = work / ".installed"
    digest = hashlib.sha256(lock).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    copy(source, work)
    run(work, "npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")
    stamp.write_text(digest)


def build(source, work):
    copy(source, work)
    run(work, "npm", "run", "build")
    if (work / "dist/viewer.html").read_bytes() != (source / "dist/viewer.html").read_bytes():
        sys.exit("viewer/dist/viewer.html is not what its source gives: run `npm run build` in viewer/ and commit it")


def test(source, work, part):
    copy_tests = work / f"run-{part}" # tests run side by side
    shutil.rmtree(copy_tests, ignore_errors=True)
    os.makedirs(copy_tests)
    shutil.copytree(source / "tests", copy_tests / "tests", ignore=shutil.ignore_patterns("received", "*.sh"))
    environment = dict(os.environ, HEDDLE_VIEWER_PAGE=str(source / "dist/viewer.html"),
                       HEDDLE_VIEWER_APPROVED=str(source / "tests/approved"),
                       HEDDLE_VIEWER_RECEIVED=str(work / "received"))
    run(copy_tests, "node", "--test", f"tests/{part}.test.mjs", environment=environment)


def run(folder, *command, environment=None):
    result = subprocess.run(command, cwd=folder, env=environment)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} failed in {folder}")


def main():
    source, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    skip_without_node()
    if sys.argv[3] == "install":
        install(source, work)
    elif sys.argv[3] == "build":
        build(source, work)
    else:
        test(source, work, sys.argv[4])


if __name__ == "__main__":
    main()
