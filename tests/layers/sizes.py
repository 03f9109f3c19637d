"""The lengths of files, classes and functions of C++ that clang-format has formatted.

No parser: braces are counted, and what stands before a brace tells what it opens. Outside of
functions a brace opens a namespace, a class, an enumeration, an initializer or a function's body;
inside of a function only local classes are of interest.
"""

import re

MOST_FILE_LINES = 500
MOST_CLASS_LINES = 400
MOST_FUNCTION_LINES = 60

# What braces, quotes and semicolons in them must not be counted for.
IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'
                     r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*",
                     re.DOTALL | re.MULTILINE)
CLASS = re.compile(r"(?:^|[\s>])(?:class|struct|union)\s+(?:\[\[.*?\]\]\s*|alignas\(.*?\)\s*)?"
                   r"([\w:]+)[^()=]*$")


def without_text(source):
    """The same lines without comments, literals and directives."""
    return IGNORED.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), source)


def kind_of(before):
    """What a brace opens, by the text before it; and the name of a class."""
    head = before.strip()
    if not head or head.endswith(("=", ",", "(", "return")):
        return "other", ""
    if re.search(r"(^|\s)(namespace|extern)(\s|$)", head) and ")" not in head:
        return "namespace", ""
    if re.match(r"(typedef\s+)?enum\b", head):
        return "other", ""
    named = CLASS.search(re.sub(r"^template\s*<.*?>\s*(?=class|struct|union)", "", head,
                                flags=re.DOTALL))
    if named:
        return "class", named.group(1)
    # Members that are initialized stand right before the brace: `a_{1}`.
    if ")" in head and before[-1:].isspace():
        return "function", head
    return "other", ""


def blocks(source):
    """Yields kind, name, first and last line of classes and functions."""
    text = without_text(source)
    stack = []  # kind, name, first line, where to go on after an initializer
    start = 0  # of what stands before the next brace
    line = 1
    first = 1  # the line that it begins in
    for position, character in enumerate(text):
        if character == "\n":
            line += 1
        if start == position and character.isspace():
            start, first = position + 1, line
        if character == "{":
            kind, name = kind_of(text[start:position])
            if kind == "function" and any(each[0] == "function" for each in stack) and \
                    not (stack and stack[-1][0] == "class"):
                kind = "other"  # a branch or a loop
            initializes = position > start and not text[position - 1].isspace()
            stack.append((kind, name, first, start if initializes else None))
            start, first = position + 1, line
        elif character == "}":
            if stack:
                kind, name, begin, resumed = stack.pop()
                if kind in ("class", "function"):
                    yield kind, name, begin, line
                if resumed is not None:
                    start, first = resumed, begin
                    continue
            start, first = position + 1, line
        elif character == ";":
            start, first = position + 1, line


def function_name(head):
    names = re.findall(r"([\w:~]+)\s*\(", head)
    return names[0] if names else "a function"


def problems(source):
    """Texts that begin with a line's number."""
    found = []
    lines = source.count("\n")
    if lines > MOST_FILE_LINES:
        found.append(f"1: the file has {lines} lines; {MOST_FILE_LINES} are allowed")
    for kind, name, first, last in blocks(source):
        length = last - first + 1
        if kind == "class" and length > MOST_CLASS_LINES:
            found.append(f"{first}: the class {name} has {length} lines; "
                         f"{MOST_CLASS_LINES} are allowed")
        if kind == "function" and length > MOST_FUNCTION_LINES:
            found.append(f"{first}: the function {function_name(name)} has {length} lines; "
                         f"{MOST_FUNCTION_LINES} are allowed")
    return found
