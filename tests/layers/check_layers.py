"""Checks that no part of src/ includes a header of a part that it may not use.

usage: check_layers.py ROOT

The rules are the table in src/README.md, so that what people read is what is checked:

    | `control/` | what it is | model |

Besides, src/runtime, src/strategy and the headers of src/model that they include live in programs
without libstdc++: they may not include headers of the C++ library that need it.
"""

import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
ROW = re.compile(r"^\|\s*`(\w+)/`\s*\|.*\|\s*([^|]*?)\s*\|\s*$")
SOURCES = (".h", ".cpp", ".c", ".S", ".def", ".inc")

# Header-only in practice: no symbol of libstdc++ and no allocation follows from them.
FREESTANDING = {
    "algorithm", "array", "atomic", "bit", "climits", "compare", "concepts", "cstdarg", "cstddef",
    "cstdint", "cstdio", "cstdlib", "cstring", "initializer_list", "limits", "new", "numeric",
    "span", "string_view", "type_traits", "utility",
}


def read_rules(root):
    """Part name to the set of names it may use, and the names outside of src/ that rules mention."""
    rules = {}
    with open(os.path.join(root, "src", "README.md"), encoding="utf-8") as file:
        for line in file:
            match = ROW.match(line)
            if match:
                uses = {use.strip() for use in match.group(2).split(",")}
                rules[match.group(1)] = uses - {"nothing", ""}
    return rules


def includes(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1) == "<", match.group(2)


def part_of(header, directory, source_root):
    """The part a quoted include leads to, or None when it is not in src/."""
    beside = os.path.normpath(os.path.join(directory, header))
    if os.path.exists(beside):
        return os.path.relpath(beside, source_root).split(os.sep)[0]
    first = header.split("/")[0]
    return first if os.path.isdir(os.path.join(source_root, first)) and "/" in header else None


def is_standard_cpp(header):
    """<vector>, <memory> ...: no folder and no extension. C headers are <stdint.h>."""
    return "/" not in header and "." not in header


def source_files(source_root):
    for directory, folders, names in os.walk(source_root):
        folders.sort()
        for name in sorted(names):
            if name.endswith(SOURCES):
                yield os.path.join(directory, name)


def check_parts(root, rules):
    source_root = os.path.join(root, "src")
    problems = []
    for path in source_files(source_root):
        part = os.path.relpath(path, source_root).split(os.sep)[0]
        shown = os.path.relpath(path, root)
        if part not in rules:
            problems.append(f"{shown}:1: the part {part} has no row in src/README.md")
            continue
        for number, angled, header in includes(path):
            if header.split("/")[0] in ("llvm", "llvm-c", "clang") and "LLVM" not in rules[part]:
                problems.append(f"{shown}:{number}: {part} may not use LLVM ({header})")
            if angled:
                continue
            used = part_of(header, os.path.dirname(path), source_root)
            if used and used != part and used not in rules[part]:
                allowed = ", ".join(sorted(rules[part])) or "nothing"
                problems.append(f"{shown}:{number}: {part} may not use {used} ({header}); "
                                f"it may use: {allowed}")
    return problems


def freestanding_files(source_root):
    """src/runtime, src/strategy and, transitively, every header of src/ that these include."""
    pending = [path for path in source_files(source_root)
               if os.path.relpath(path, source_root).split(os.sep)[0] in ("runtime", "strategy")]
    seen = set()
    while pending:
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        for _, angled, header in includes(path):
            if angled:
                continue
            for base in (os.path.dirname(path), source_root):
                target = os.path.normpath(os.path.join(base, header))
                if os.path.isfile(target) and target.startswith(source_root):
                    pending.append(target)
                    break
    return sorted(seen)


def check_freestanding(root):
    source_root = os.path.normpath(os.path.join(root, "src"))
    problems = []
    for path in freestanding_files(source_root):
        for number, angled, header in includes(path):
            if angled and is_standard_cpp(header) and header not in FREESTANDING:
                shown = os.path.relpath(path, root)
                problems.append(f"{shown}:{number}: <{header}> needs libstdc++, which programs "
                                "under test may not have")
    return problems


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check_layers.py ROOT")
    root = os.path.realpath(sys.argv[1])
    rules = read_rules(root)
    if not rules:
        sys.exit("error: src/README.md has no table of parts")
    problems = check_parts(root, rules) + check_freestanding(root)
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(f"{len(problems)} includes break the layers of src/README.md")
    print(f"layers: {len(rules)} parts, no forbidden include")


if __name__ == "__main__":
    main()
