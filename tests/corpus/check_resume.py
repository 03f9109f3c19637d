#!/usr/bin/env python3
"""Kills an exploration again and again, goes on with --resume each time, and compares the verdict
with that of one that was left alone."""
import argparse
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time


def explore(arguments, store, *more):
    return [arguments.bin / "heddle", "explore", "--exhaustive", "--format=json", f"--store={store}",
            "-j1", *more, arguments.work / "lastzero", arguments.size]


def verdict(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)["verdict"]
    except json.JSONDecodeError:
        sys.exit(f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--size", default="12")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    subprocess.run([arguments.bin / "heddle-c++", "-std=c++20", "-g", "-O1",
                    arguments.corpus / "explore" / "lastzero.cpp", "-o", arguments.work / "lastzero",
                    "-pthread"], check=True)
    alone = verdict(explore(arguments, arguments.work / "alone"))
    killed = 0
    for number in range(arguments.kills):
        process = subprocess.Popen(explore(arguments, arguments.work / "killed", "--resume"),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.4 + 0.1 * (number % 10))
        killed += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    resumed = verdict(explore(arguments, arguments.work / "killed", "--resume"))
    print(f"killed {killed} times; alone {alone}; resumed {resumed}")
    same = all(alone[key] == resumed[key] for key in ("exhaustive", "classes", "failing", "blocked"))
    return 0 if same and alone["exhaustive"] and killed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
