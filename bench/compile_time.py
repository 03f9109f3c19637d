"""Compile time of translation units that use large headers, against clang alone and clang with TSan."""

import os
import subprocess
import sys
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus" / "real"
UNITS = {  # with the flags that the corpus compiles them with
    "spdlog_async": ["-DSPDLOG_HEADER_ONLY", "-DFMT_HEADER_ONLY", "-DSPDLOG_FMT_EXTERNAL"],
    "reader_writer_queue": [],
    "json_pipeline": [],
}
LEVELS = ["-O0", "-O1", "-O2"]
ROUNDS = 5
MOST = 2.5


def user_seconds(command):
    """User CPU time of one process and its children."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return usage.ru_utime


def median(values):
    return sorted(values)[len(values) // 2]


def compilers(tools):
    return {"clang": ["clang++-19"], "TSan": ["clang++-19", "-fsanitize=thread"], "heddle": [tools / "heddle-c++"]}


def compile_times(tools, folder, name, level):
    """For each round the seconds of each compiler: they are compared within a round."""
    flags = ["-std=c++20", "-g", level, *UNITS[name], "-c", CORPUS / f"{name}.cpp"]
    return [{which: user_seconds([*command, *flags, "-o", folder / f"{name}.{which}.o"])
             for which, command in compilers(tools).items()} for _ in range(ROUNDS)]


def link_times(tools, folder, name):
    """Of what compile_times has left."""
    return [{which: user_seconds([*command, "-pthread", folder / f"{name}.{which}.o", "-o",
                                  folder / f"{name}.{which}"])
             for which, command in compilers(tools).items()} for _ in range(ROUNDS)]


def show(what, step, rounds):
    """Prints a row; the median ratio of heddle to clang."""
    seconds = [median([r[which] for r in rounds]) for which in ("clang", "TSan", "heddle")]
    ratio = median([r["heddle"] / r["clang"] for r in rounds])
    print(f"  {what:<22} {step:<8} {seconds[0]:>8.2f} {seconds[1]:>8.2f} {seconds[2]:>8.2f} {ratio:>6.2f}")
    return ratio


def measure(tools, folder, verdict, only=""):
    folder.mkdir(parents=True, exist_ok=True)
    print(f"User CPU time of compilers, seconds (median of {ROUNDS} rounds); ratio: heddle-c++ / clang")
    print(f"  {'unit':<22} {'step':<8} {'clang':>8} {'TSan':>8} {'heddle':>8} {'ratio':>6}")
    ratios = {}
    for name in [name for name in UNITS if only in name]:
        for level in LEVELS:
            ratios[f"{name} {level}"] = show(name, level, compile_times(tools, folder, name, level))
        show(name, "link", link_times(tools, folder, name))
    return all([verdict(f"heddle-c++ / clang, {what}", ratio, MOST) for what, ratio in ratios.items()])
