"""Checks the layers of src/ and the size of what is in them.

usage: check_layers.py ROOT

The rules are the tables in src/README.md, so that what people read is what is checked:

    | `control/` | what it is | model |
    | `static/points_to/` | what it is | budget, ir |

A part may include headers of the parts in its row. A part with rows for its sub-folders has one for
each of them; a sub-folder may include those sub-folders of its part that its row names, and files of
the part's own folder if the row names the part. Sub-folders do not use each other in a circle.

Headers never include each other in a circle. In the parts of SIZED, file pairs (.h and .cpp) do not
either, and files, classes and functions have limits.

Besides, src/runtime, src/strategy and the headers of src/model that they include live in programs
without libstdc++: they may not include headers of the C++ library that need it.
"""

import os
import re
import sys

import sizes

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
ROW = re.compile(r"^\|\s*`(\w+(?:/\w+)?)/`\s*\|.*\|\s*([^|]*?)\s*\|\s*$")
SOURCES = (".h", ".cpp", ".c", ".S", ".def", ".inc")

# Parts, or sub-folders of them ("runtime/engine"), whose files, classes and functions are limited.
SIZED = ["static", "runtime", "strategy", "control", "pass", "model", "store", "predict", "explore", "synth",
         "pipeline"]

# Header-only in practice: no symbol of libstdc++ and no allocation follows from them.
FREESTANDING = {
    "algorithm", "array", "atomic", "bit", "climits", "compare", "concepts", "cstdarg", "cstddef",
    "cstdint", "cstdio", "cstdlib", "cstring", "initializer_list", "limits", "new", "numeric",
    "span", "string_view", "type_traits", "utility",
}


def read_rules(root):
    """Part, or part/sub-folder, to the set of names that it may use."""
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


def included_file(header, directory, source_root):
    """Where a quoted include leads to, from src/ on; None when that is not in src/."""
    for base in (directory, source_root):
        path = os.path.normpath(os.path.join(base, header))
        if os.path.isfile(path) and path.startswith(source_root + os.sep):
            return os.path.relpath(path, source_root)
    first = header.split("/")[0]
    return header if os.path.isdir(os.path.join(source_root, first)) and "/" in header else None


def part_of(path):
    """The part of a file that is named from src/ on."""
    return path.split(os.sep)[0]


def folder_of(path):
    """Its sub-folder: "static/points_to"; the part where it stands in the part's own folder."""
    return os.sep.join(path.split(os.sep)[:-1][:2])


def is_standard_cpp(header):
    """<vector>, <memory> ...: no folder and no extension. C headers are <stdint.h>."""
    return "/" not in header and "." not in header


def source_files(source_root):
    for directory, folders, names in os.walk(source_root):
        folders.sort()
        for name in sorted(names):
            if name.endswith(SOURCES):
                yield os.path.join(directory, name)


def has_rooms(part, rules):
    """Whether the part's sub-folders have rows."""
    return any(name.startswith(part + "/") for name in rules)


def may_use(folder, used, rules):
    """Whether a folder may include files of another folder of the same part."""
    part = part_of(used)
    if folder == used or folder == part or not has_rooms(part, rules):
        return True
    return used.removeprefix(part + "/") in rules.get(folder, ())


def allowed_words(folder, rules):
    return ", ".join(sorted(rules[folder])) or "nothing"


def check_include(folder, header, target, rules):
    """What is wrong with an include of a file of src/; None when nothing is."""
    part, used = part_of(folder), part_of(target)
    if used != part:
        if used in rules[part]:
            return None
        return f"{part} may not use {used} ({header}); it may use: {allowed_words(part, rules)}"
    if folder not in rules or may_use(folder, folder_of(target), rules):
        return None
    return (f"{folder} may not use {folder_of(target)} ({header}); "
            f"it may use: {allowed_words(folder, rules)}")


def check_parts(root, rules):
    source_root = os.path.join(root, "src")
    problems = []
    for path in source_files(source_root):
        name = os.path.relpath(path, source_root)
        part, folder = part_of(name), folder_of(name)
        shown = os.path.relpath(path, root)
        if part not in rules:
            problems.append(f"{shown}:1: the part {part} has no row in src/README.md")
            continue
        if folder not in rules and has_rooms(part, rules):
            problems.append(f"{shown}:1: the sub-folder {folder} has no row in src/README.md")
            continue
        for number, angled, header in includes(path):
            if header.split("/")[0] in ("llvm", "llvm-c", "clang") and "LLVM" not in rules[part]:
                problems.append(f"{shown}:{number}: {part} may not use LLVM ({header})")
            if angled:
                continue
            target = included_file(header, os.path.dirname(path), source_root)
            wrong = check_include(folder, header, target, rules) if target else None
            if wrong:
                problems.append(f"{shown}:{number}: {wrong}")
    return problems


def cycles(graph):
    """The groups of nodes that lead to each other, each sorted."""
    reached = {}
    for start in graph:
        seen, stack = set(), [start]
        while stack:
            for following in graph.get(stack.pop(), ()):
                if following not in seen:
                    seen.add(following)
                    stack.append(following)
        reached[start] = seen
    groups = {tuple(sorted(each for each in seen if start in reached.get(each, ())))
              for start, seen in reached.items() if start in seen}
    return sorted(groups)


def check_order(rules):
    """Sub-folders may not use each other in a circle, not even by the table."""
    problems = []
    for part in sorted(name for name in rules if "/" not in name):
        rooms = {name.removeprefix(part + "/"): uses - {part} for name, uses in rules.items()
                 if name.startswith(part + "/")}
        for group in cycles(rooms):
            problems.append(f"src/README.md:1: sub-folders of {part} use each other: "
                            f"{', '.join(group)}")
        for name, uses in sorted(rooms.items()):
            for unknown in sorted(uses - set(rooms)):
                problems.append(f"src/README.md:1: {part}/{name} may use {unknown}, "
                                f"which is no sub-folder of {part}")
    return problems


def is_sized(name):
    return any(name.startswith(folder + os.sep) for folder in SIZED)


def include_graph(source_root, node_of):
    """Which node (a file, or a file pair) includes which others."""
    graph = {}
    for path in source_files(source_root):
        node = node_of(os.path.relpath(path, source_root))
        if node is None:
            continue
        edges = graph.setdefault(node, set())
        for _, angled, header in includes(path):
            target = None if angled else included_file(header, os.path.dirname(path), source_root)
            used = node_of(target) if target else None
            if used not in (None, node):
                edges.add(used)
    return graph


def check_cycles(root):
    source_root = os.path.join(root, "src")
    files = include_graph(source_root, lambda name: name)
    pairs = include_graph(source_root,
                          lambda name: os.path.splitext(name)[0] if is_sized(name) else None)
    return ([f"src/{group[0]}:1: files include each other: {', '.join(group)}"
             for group in cycles(files)] +
            [f"src/{group[0]}.h:1: file pairs include each other: {', '.join(group)}"
             for group in cycles(pairs)])


def check_sizes(root):
    source_root = os.path.join(root, "src")
    problems = []
    for path in source_files(source_root):
        name = os.path.relpath(path, source_root)
        if is_sized(name) and name.endswith((".h", ".cpp")):
            with open(path, encoding="utf-8") as file:
                problems += [f"src/{name}:{problem}" for problem in sizes.problems(file.read())]
    return problems


def freestanding_files(source_root):
    """src/runtime, src/strategy and, transitively, every header of src/ that these include."""
    pending = [path for path in source_files(source_root)
               if part_of(os.path.relpath(path, source_root)) in ("runtime", "strategy")]
    seen = set()
    while pending:
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        for _, angled, header in includes(path):
            target = None if angled else included_file(header, os.path.dirname(path), source_root)
            if target and os.path.isfile(os.path.join(source_root, target)):
                pending.append(os.path.join(source_root, target))
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
    problems = (check_parts(root, rules) + check_order(rules) + check_cycles(root) +
                check_sizes(root) + check_freestanding(root))
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(f"{len(problems)} places break the rules of src/README.md")
    rooms = sum("/" in name for name in rules)
    print(f"layers: {len(rules) - rooms} parts, {rooms} sub-folders, no forbidden include")


if __name__ == "__main__":
    main()
