"""gdb commands for programs under heddle: all threads of the program are fibers of one OS thread.

  heddle-threads        lists them with their state
  heddle-backtrace N    shows the stack of thread N (also of one that does not run)

`heddle replay ID -- gdb` loads this file; elsewhere: source heddle-gdb.py
"""

import gdb

STATES = ("runnable", "blocked", "finished")
# What context.S pushed below the saved stack pointer: register and its offset.
SAVED = {"r15": 8, "r14": 16, "r13": 24, "r12": 32, "rbx": 40, "rbp": 48, "rip": 56}


def scheduler():
    return gdb.parse_and_eval("'heddle::rt::scheduler'")


def fiber(index):
    state = scheduler()
    if index < 0 or index >= int(state["threads"]):
        raise gdb.GdbError(f"there is no thread {index}; heddle-threads lists them")
    return state["fibers"][index].dereference()


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
            kind = str(thread["waitKind"]).rsplit("::", 1)[-1]
            wait = f" on {kind} {thread['waitObject']}" if kind != "None" else ""
            print(f"{mark} T{index} {STATES[int(thread['state'])]}{wait} {thread['name'].string()}")


class HeddleBacktrace(gdb.Command):
    """Show the stack of a thread of a program under heddle: heddle-backtrace N."""

    def __init__(self):
        super().__init__("heddle-backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not argument.strip().isdigit():
            raise gdb.GdbError("expected the number of a thread: heddle-backtrace 1")
        thread = fiber(int(argument))
        if int(scheduler()["current"]) == int(thread.address):
            gdb.execute("backtrace")
            return
        self.show(int(thread["stackPointer"]), int(thread["fsBase"]))

    def show(self, stack, fs_base):
        gdb.execute("select-frame 0", to_string=True)
        names = [*SAVED, "rsp", "fs_base"]
        before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in names}
        read = lambda address: int(gdb.parse_and_eval(f"*(unsigned long*){address}"))
        try:
            for name, offset in SAVED.items():
                gdb.execute(f"set ${name} = {read(stack + offset)}", to_string=True)
            gdb.execute(f"set $rsp = {stack + 64}", to_string=True)
            gdb.execute(f"set $fs_base = {fs_base}", to_string=True)
            gdb.execute("backtrace")
        finally:
            for name, value in before.items():
                gdb.execute(f"set ${name} = {value}", to_string=True)


HeddleThreads()
HeddleBacktrace()
