"""gdb commands for programs under heddle: all threads of the program are fibers of one OS thread.

  heddle-threads        lists them with their state
  heddle-backtrace N    shows the stack of thread N (also of one that does not run)

Backtraces leave the runtime's own frames out (`backtrace -no-filters` shows them), and a stop at a
failure selects the frame of the program that failed.

`heddle replay ID -- gdb` loads this file; elsewhere: source heddle-gdb.py
"""

import gdb

STATES = ("runnable", "blocked", "finished")
# What context.S pushed below the saved stack pointer: register and its offset.
SAVED = {"r15": 8, "r14": 16, "r13": 24, "r12": 32, "rbx": 40, "rbp": 48, "rip": 56}
FAILURES = ("heddle::rt::failRun", "heddle::rt::failMemory", "heddle::rt::loseControl")


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
    """List the threads of a program under heddle."""

    def __init__(self):
        super().__init__("heddle-threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        state = scheduler()
        current = int(state["current"])
        for index in range(int(state["threads"])):
            thread = state["fibers"][index]
            mark = "*" if int(thread) == current else " "
            print(f"{mark} T{index} {self.state_of(thread)} {thread['name'].string()}".rstrip())

    @staticmethod
    def state_of(thread):
        text = STATES[int(thread["state"])]
        kind = str(thread["waitKind"]).rsplit("::", 1)[-1]
        if text != "blocked" or kind == "None":
            return text
        place = thread["waitObject"].format_string(symbols=True)
        return f"{text} on {kind} {place}"


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
        self.show(int(thread["stackPointer"]), int(thread["fsBase"]))

    def show(self, stack, fs_base):
        level = gdb.selected_frame().level()
        gdb.newest_frame().select()
        names = [*SAVED, "rsp", "fs_base"]
        before = {name: register(name) for name in names}
        try:
            for name, offset in SAVED.items():
                set_register(name, word_at(stack + offset))
            set_register("rsp", stack + 64)
            set_register("fs_base", fs_base)
            gdb.execute("backtrace")
        finally:
            gdb.newest_frame().select()
            for name, value in before.items():
                set_register(name, value)
            frame_at(level).select()


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


def program_frame():
    """The innermost frame that is not the runtime's."""
    frame = gdb.newest_frame()
    while frame is not None and is_runtime(frame.pc()):
        frame = frame.older()
    return frame


def on_stop(event):
    """At a failure: says what failed in which thread, and selects the program's frame."""
    if not isinstance(event, gdb.BreakpointEvent):
        return
    if event.breakpoint.location not in FAILURES:
        return
    message = gdb.newest_frame().read_var("message")
    text = message.string() if int(message) else ""
    frame = program_frame()
    print(f"heddle: thread T{current_index()}: {text}")
    if frame is not None:
        frame.select()


WithoutRuntime()
HeddleThreads()
HeddleBacktrace()
gdb.events.stop.connect(on_stop)
