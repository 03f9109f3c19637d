"""gdb commands for programs under heddle: all threads of the program are fibers of one OS thread.

  heddle-threads        lists them with their state
  heddle-backtrace N    shows the stack of thread N (also of one that does not run)

Backtraces leave the runtime's own frames out (`backtrace -no-filters` shows them). The program stops
at its failure, in its own frame; a wrong exit status is one where it calls exit or returns from main.

`heddle replay ID -- gdb` loads this file; elsewhere: source heddle-gdb.py
"""

import re

import gdb

SITE_LIBRARY = 2  # SiteFlags::kSiteLibrary
STATES = ("runnable", "blocked", "finished")
# What context.S pushed below the saved stack pointer: register and its offset.
SAVED = {"r15": 8, "r14": 16, "r13": 24, "r12": 32, "rbx": 40, "rbp": 48, "rip": 56}
# Where the runtime passes with every failure, and what the pass makes of main.
FAILURE = "__heddle_failure"
MAINS = ("main", "main.hd.h", "main.hd.p")
WAITS = {"Mutex": "mutex", "RwLockRead": "rwlock (to read)", "RwLockWrite": "rwlock (to write)",
         "SpinLock": "spin lock", "Condition": "condition variable", "Barrier": "barrier",
         "Semaphore": "semaphore", "Once": "once", "Guard": "static initialization",
         "Futex": "futex", "Join": "join", "Sleep": "sleep", "Io": "i/o",
         "Library": "lock inside a library"}


def scheduler():
    try:
        state = gdb.parse_and_eval("'heddle::rt::scheduler'")
    except gdb.error:
        raise gdb.GdbError("this program has no runtime of heddle: link it with heddle-c++")
    # Before the first run there is no thread yet.
    if int(state["threads"]) == 0:
        raise gdb.GdbError("the program is not running under heddle; run it first")
    return state


def fiber(index):
    state = scheduler()
    if index >= int(state["threads"]):
        raise gdb.GdbError(f"there is no thread {index}; heddle-threads lists them")
    return state["fibers"][index].dereference()


def current_index():
    state = scheduler()
    for index in range(int(state["threads"])):
        if int(state["fibers"][index]) == int(state["current"]):
            return index
    return None


def is_runtime(address):
    """Whether the address is code of the runtime, which is one section of the executable."""
    try:
        begin = int(gdb.parse_and_eval("(unsigned long)&__start_heddle_text"))
        end = int(gdb.parse_and_eval("(unsigned long)&__stop_heddle_text"))
    except gdb.error:
        return False
    return begin <= address < end


class WithoutRuntime:
    """Leaves the runtime's frames out of backtraces, and what started the thread below them."""

    def __init__(self):
        self.name = "heddle"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (frame for frame in frames if not self.is_hidden(frame.inferior_frame()))

    @staticmethod
    def is_hidden(frame):
        older = frame.older()
        started = frame.name() in ("start_thread", "clone3") and older is None
        below = older is not None and older.name() == "clone3"
        return frame.pc() == 0 or is_runtime(frame.pc()) or started or below


class HeddleThreads(gdb.Command):
    """List the threads of a program under heddle: where they are, what they wait for, who has it."""

    def __init__(self):
        super().__init__("heddle-threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        state = scheduler()
        current = int(state["current"])
        for index in range(int(state["threads"])):
            thread = state["fibers"][index].dereference()
            mark = "*" if int(thread.address) == current else " "
            name = thread["name"].string()
            title = f"T{index} {name}" if name else f"T{index}"
            print(f"{mark} {title}: {self.state_of(thread)}{self.place_of(index, thread)}")

    @staticmethod
    def state_of(thread):
        text = STATES[int(thread["state"])]
        kind = str(thread["waitKind"]).rsplit("::", 1)[-1]
        if text != "blocked" or kind == "None":
            return text
        if kind == "Join":
            return f"{text} on join{joined_thread(thread)}"
        return f"{text} on {WAITS.get(kind, kind)} {object_name(thread)}{holder_of(thread)}".rstrip()

    @staticmethod
    def place_of(index, thread):
        if int(thread["state"]) == STATES.index("finished"):
            return ""
        if index == current_index():
            return place_text(program_frame())
        return at_stack_of(thread, lambda: place_text(program_frame()))


def place_text(frame):
    if frame is None or frame.find_sal().symtab is None:
        return ""
    sal = frame.find_sal()
    return f", in {frame.name()} at {sal.symtab.filename}:{sal.line}"


def held_by(thread):
    return [int(thread["held"][i]["object"]) for i in range(int(thread["heldCount"]))]


def holder_of(thread):
    """Who has the lock that a thread waits for."""
    state = scheduler()
    wanted = int(thread["waitObject"])
    for index in range(int(state["threads"])):
        if wanted in held_by(state["fibers"][index].dereference()):
            return f", held by T{index}"
    return ""


def joined_thread(thread):
    state = scheduler()
    for index in range(int(state["threads"])):
        if int(state["fibers"][index]) == int(thread["waitObject"]):
            return f" of T{index}"
    return ""


def object_name(thread):
    """What a thread waits for: a variable, or what the source calls it there, or its address."""
    address = thread["waitObject"]
    if int(address) == 0:
        return ""
    text = address.format_string(symbols=True)
    if "<" in text:
        return text[text.index("<") + 1:text.rindex(">")]
    for site in sites_of(thread):
        name = site_object(site)
        if name:
            return f"{name} ({text})"
    return text


def sites_of(thread):
    """Ids of the sites where a thread is, innermost first."""
    yield int(thread["view"]["pending"]["site"])
    yield int(thread["callSite"])
    size = gdb.lookup_type("unsigned long").sizeof
    base, top = int(thread["shadowBase"]), int(thread["shadowTop"])
    for slot in range(top - size, base - size, -size):
        pointer = word_at(slot)
        if pointer:
            yield int(gdb.parse_and_eval(f"*(unsigned int*){pointer}"))


def site_object(site):
    """What the site table says about the object of a site."""
    table = site_table()
    if table is None or site == 0:
        return ""
    entry = table[site]
    if int(entry["record"]) == 0:
        return ""
    record = entry["record"].dereference()
    if int(record["flags"]) & SITE_LIBRARY:  # what a header calls it tells a user nothing
        return ""
    return (entry["module"].dereference()["strings"] + int(record["object"])).string()


def site_table():
    for symbol in gdb.lookup_static_symbols("heddle::rt::(anonymous namespace)::entries"):
        if "SiteEntry" in str(symbol.type):
            return symbol.value()
    return None


def at_stack_of(thread, look):
    """Calls `look` while gdb sees the stack of a thread that does not run."""
    level = gdb.selected_frame().level()
    gdb.newest_frame().select()
    stack = int(thread["stackPointer"])
    before = {name: register(name) for name in (*SAVED, "rsp", "fs_base")}
    try:
        for name, offset in SAVED.items():
            set_register(name, word_at(stack + offset))
        set_register("rsp", stack + 64)
        set_register("fs_base", int(thread["fsBase"]))
        return look()
    finally:
        gdb.newest_frame().select()
        for name, value in before.items():
            set_register(name, value)
        frame_at(level).select()


class HeddleBacktrace(gdb.Command):
    """Show the stack of a thread of a program under heddle: heddle-backtrace T1."""

    def __init__(self):
        super().__init__("heddle-backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        number = argument.strip().removeprefix("T")  # as reports call it
        if not number.isdigit():
            raise gdb.GdbError("expected a thread: heddle-backtrace T1")
        index = int(number)
        thread = fiber(index)
        if int(thread["state"]) == STATES.index("finished"):
            raise gdb.GdbError(f"thread {index} has finished and has no stack")
        if index == current_index():
            gdb.execute("backtrace")
            return
        at_stack_of(thread, lambda: gdb.execute("backtrace"))


def frame_at(level):
    frame = gdb.newest_frame()
    for _ in range(level):
        frame = frame.older()
    return frame


def register(name):
    return int(gdb.parse_and_eval(f"(unsigned long)${name}"))


def set_register(name, value):
    gdb.execute(f"set ${name} = {value}", to_string=True)


def word_at(address):
    return int(gdb.parse_and_eval(f"*(unsigned long*){address}"))


def in_system_library(frame):
    """libc and others come with file names of their own, which look like the program's."""
    name = gdb.solib_name(frame.pc())
    return name is not None and name.startswith(("/lib", "/usr/lib"))


def has_program_code(frame):
    """Whether a frame is in what was compiled with heddle: headers of libraries too."""
    return (frame.find_sal().symtab is not None and not is_runtime(frame.pc()) and
            not in_system_library(frame))


def is_program(frame):
    """Whether a frame is code that the user wrote, as far as its file tells."""
    return has_program_code(frame) and not frame.find_sal().symtab.fullname().startswith("/usr/")


def program_frame():
    """The innermost frame of the program; of a library when there is none."""
    header = library = None
    frame = gdb.newest_frame()
    while frame is not None:
        if is_program(frame):
            return frame
        if header is None and has_program_code(frame):
            header = frame
        if library is None and frame.type() == gdb.NORMAL_FRAME and not is_runtime(frame.pc()):
            library = frame
        frame = frame.older()
    return header or library


class FailureStop(gdb.Breakpoint):
    """Stops at a failure. Silent: what there is to say is said by on_stop."""

    text = None  # of the failure at which the program stands
    seen = False

    def __init__(self, place):
        super().__init__(place, internal=True)
        self.silent = True

    def stop(self):
        # One that main has returned already, or a second one in the end of the first.
        if FailureStop.seen:
            return False
        return self.stop_with(gdb.newest_frame().read_var("message").string())

    @staticmethod
    def stop_with(text):
        FailureStop.text = (text.splitlines() or ["the program failed"])[0]
        FailureStop.seen = True
        return True


class ReturnFromMain(FailureStop):
    """Stops where main returns another status than 0: after it there is no frame to show."""

    def stop(self):
        status = int(gdb.parse_and_eval("$eax")) & 0xff
        return status != 0 and self.stop_with(f"main returns exit status {status}")


def watch_returns_of(name):
    code = instructions_of(name)
    for index, (_, assembly) in enumerate(code):
        if not assembly.startswith("ret"):
            continue
        # Before the frame is taken down, so that its variables can still be seen.
        while index > 0 and takes_frame_down(code[index - 1][1]):
            index -= 1
        ReturnFromMain(f"*((char*)&'{name}' + {code[index][0]})")


def instructions_of(name):
    """Offset and text of each; by the symbol's size, because the debug information of a function that
    others are inlined into need not cover it."""
    try:
        text = gdb.execute(f"disassemble '{name}'", to_string=True)
    except gdb.error:
        return []
    lines = (re.match(r".*<\+(\d+)>:\s+(.*)", line) for line in text.splitlines())
    return [(int(line[1]), line[2]) for line in lines if line]


def takes_frame_down(assembly):
    return assembly.startswith(("pop", "leave")) or (
        assembly.startswith(("add", "lea")) and assembly.endswith("%rsp"))


def on_stop(event):
    """At a failure: says what failed in which thread, and shows the program's frame."""
    text, FailureStop.text = FailureStop.text, None
    if text is None:
        return
    print(f"heddle: thread T{current_index()}: {text}")
    frame = program_frame()
    if frame is not None:
        frame.select()
        gdb.execute("frame")


def on_exit(event):
    FailureStop.seen = False  # it may be run again


WithoutRuntime()
HeddleThreads()
HeddleBacktrace()
FailureStop(FAILURE)
for main in MAINS:
    watch_returns_of(main)
gdb.events.stop.connect(on_stop)
gdb.events.exited.connect(on_exit)
