#!/usr/bin/env python3
"""The paper's two open programs: figure 4 with its stages, figure 2 with its pairs of paths."""

import argparse
import json
import pathlib
import subprocess
import sys


def analyze(options, name, *arguments):
    source = options.corpus / "static" / "open" / f"{name}.cpp"
    target = options.work / f"{name}.o"
    compiler = [options.bin / "heddle-c++", "-g", "-O1", "-std=c++17", "-c", source, "-o", target]
    subprocess.run(compiler, check=True)
    command = [options.bin / "heddle", "analyze", "--format=json", *arguments, target]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def expect(what, found, expected):
    if found != expected:
        print(f"{what}: found {found}, expected {expected}")
        sys.exit(1)


def sides(finding):
    return {(site["access"], site["function"].split("(")[0]) for site in finding["sites"]}


def roots(path):
    """The interface's function, and what the path's end does."""
    return path["stack"][-2]["function"].split("(")[0]


def check_figure_4(options):
    report = analyze(options, "figure4", "--paths")
    expect("interface", report["interface"], ["A"])
    stages = [report["stages"][name] for name in ("original", "reachable", "aliasing", "escaping", "unlocked")]
    expect("stages", stages, [5, 2, 2, 2, 1])
    expect("findings", [sides(f) for f in report["findings"]], [{("read", "A::rd"), ("write", "A::wr")}])
    finding = report["findings"][0]
    expect("object", finding["group"], "A::f")
    expect("locks", [site.get("held", []) for site in finding["sites"]], [["A::mutex_"], []])
    callers = [[roots(pair[side]) for side in ("first", "second")] for pair in finding["paths"]]
    # inc reads f, too, but with the lock.
    expect("paths", callers, [["A::inc", "A::get"]])


def check_figure_2(options):
    for arguments in ([], ["--interface", "Database"]):
        report = analyze(options, "connection_manager", "--paths", *arguments)
        expect("interface", report["interface"], ["Database"])
        pairs = set()
        for finding in report["findings"]:
            expect("object", finding["group"], "ConnectionSource::used_")
            accesses = "/".join(sorted(site["access"] for site in finding["sites"]))
            for pair in finding["paths"]:
                callers = sorted(roots(pair[side]).removeprefix("Database::") for side in ("first", "second"))
                pairs.add((*callers, accesses))
                for side in ("first", "second"):
                    functions = [frame["function"].split("(")[0] for frame in pair[side]["stack"][:2]]
                    expect("path", functions, ["ConnectionSource::getConnection", "ConnectionManager::getConnection"])
                    expect("locks", pair[side]["held"], [])
        callers = (("erase", "erase"), ("erase", "insert"), ("insert", "insert"))
        expect("pairs of paths", pairs, {(*pair, kind) for pair in callers for kind in ("read/write", "write/write")})


def main():
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--corpus", "--work"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    check_figure_4(options)
    check_figure_2(options)
    print("figures 2 and 4 as the paper has them")


if __name__ == "__main__":
    main()
