"""The correct programs of the corpus: what each command says of them, and how many runs it makes."""

import json
import subprocess
import sys
import time
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
COMMANDS = ("check", "races", "atomicity")
COMMAND_SECONDS = 20
LIBRARY_SECONDS = 30
LATE_SECONDS = 2  # by which a command may miss its budget
FOUND = 2


def programs(folder, only):
    """Those of a folder of the corpus whose names have one of the texts."""
    listing = subprocess.run([sys.executable, CORPUS / "list.py", "--correct", CORPUS], check=True,
                             capture_output=True, text=True).stdout
    listed = [json.loads(line) for line in listing.splitlines()]
    wanted = only.split(",")
    return [program for program in listed if program["name"].startswith(f"{folder}/")
            and any(text in program["name"] for text in wanted)]


class Correct:
    def __init__(self, bin_folder, folder):
        self.bin = bin_folder
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def build(self, program, suffix):
        is_c = program["language"] == "c"
        compiler = {"heddle": self.bin / ("heddle-cc" if is_c else "heddle-c++"),
                    "plain": "clang-19" if is_c else "clang++-19"}[suffix]
        flags = list(program["flags"])
        for package in program["packages"]:
            flags += subprocess.run(["pkg-config", "--cflags", "--libs", package], check=True,
                                    capture_output=True, text=True).stdout.split()
        output = self.folder / f"{Path(program['name']).name}.{suffix}"
        subprocess.run([compiler, f"-std={program['std']}", "-g", "-O1", "-pthread",
                        CORPUS / program["file"], *flags, "-o", output], check=True)
        return output

    def heddle(self, command, executable, seconds):
        """Exit code, runs and seconds of one command, with a store of its own."""
        store = self.folder / f"{executable.name}.store"
        subprocess.run(["rm", "-rf", store], check=True)
        begin = time.monotonic()
        done = subprocess.run([self.bin / "heddle", command, "--format=json", "--seconds",
                               str(seconds), "--store", store, executable], capture_output=True,
                              text=True, errors="replace")
        taken = time.monotonic() - begin
        try:
            runs = json.loads(done.stdout)["runs"]
        except (ValueError, KeyError):
            runs = 0
        return done.returncode, runs, taken


def plain_seconds(executable):
    begin = time.monotonic()
    subprocess.run([executable], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def unusual(correct, verdict, only=""):
    """Every command on every program of unusual/, at full length: nothing may be found."""
    print(f"Correct programs of unusual kinds, {COMMAND_SECONDS} s for each command")
    print("| program | plain s |" + "".join(f" {c}: exit | runs | s |" for c in COMMANDS))
    print("| --- | --- |" + " --- | --- | --- |" * len(COMMANDS))
    found = lost = late = 0
    for program in programs("unusual", only):
        row = [Path(program["name"]).name, f"{plain_seconds(correct.build(program, 'plain')):.2f}"]
        executable = correct.build(program, "heddle")
        for command in COMMANDS:
            code, runs, taken = correct.heddle(command, executable, COMMAND_SECONDS)
            found += code == FOUND
            lost += code not in (0, FOUND)
            late += taken > COMMAND_SECONDS + LATE_SECONDS
            row += [str(code), str(runs), f"{taken:.1f}"]
        print("| " + " | ".join(row) + " |", flush=True)
    ok = verdict("correct programs in which something was found", found, 0)
    ok = verdict("commands that ended otherwise than with 0", lost, 0) and ok
    return verdict(f"commands that were more than {LATE_SECONDS} s late", late, 0) and ok


def libraries(correct, verdict, only=""):
    """Stress programs on other people's libraries: every run ends, nothing is found."""
    print(f"Stress programs on libraries, `heddle check` for {LIBRARY_SECONDS} s")
    print("| program | plain run, s | exit | runs | s |")
    print("| --- | --- | --- | --- | --- |")
    wrong = 0
    for program in programs("real", only):
        plain = plain_seconds(correct.build(program, "plain"))
        executable = correct.build(program, "heddle")
        code, runs, taken = correct.heddle("check", executable, LIBRARY_SECONDS)
        wrong += code != 0 or runs == 0
        print(f"| {Path(program['name']).name} | {plain:.2f} | {code} | {runs} | {taken:.1f} |",
              flush=True)
    return verdict("libraries on which something was found or no run ended", wrong, 0)
