"""Builds programs of the corpus with heddle, each of them once for all tests that run it."""

import fcntl
import hashlib
import subprocess

# What decides about the program besides its source and the command.
TOOLS = ("bin/heddle-c++", "bin/heddle-cc", "lib/heddle", "include/heddle")


def state_of_tools(build):
    """Changes when a compiler, the pass, the runtime or a header does."""
    paths = [path for name in TOOLS for path in sorted([build / name, *(build / name).rglob("*")])]
    facts = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths if path.is_file()]
    if not facts:
        raise RuntimeError(f"no heddle in {build}")
    return repr(facts)


def command_of(bin_folder, corpus, program):
    compiler = "heddle-cc" if program["language"] == "c" else "heddle-c++"
    return [str(bin_folder / compiler), f"-std={program['std']}", "-g", "-O1", "-pthread",
            *program["flags"], str(corpus / program["file"])]


def build_program(bin_folder, corpus, program):
    """The executable of a program. Tests at the same time wait for the one that compiles it."""
    build = bin_folder.parent
    command = command_of(bin_folder, corpus, program)
    source = (corpus / program["file"]).read_bytes()
    state = hashlib.sha256(f"{command} {state_of_tools(build)}".encode() + source).hexdigest()
    folder = build / "tests" / "programs" / program["name"]
    folder.mkdir(parents=True, exist_ok=True)
    executable = folder / "program"
    known = folder / "state"
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not executable.exists() or not known.exists() or known.read_text() != state:
            known.unlink(missing_ok=True)
            subprocess.run([*command, "-o", folder / "new"], check=True)
            (folder / "new").rename(executable)  # another test may run the old one
            known.write_text(state)
    return executable
