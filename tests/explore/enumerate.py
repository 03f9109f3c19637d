"""Counts the classes of small programs by brute force, and compares with heddle's search.

usage: enumerate.py EXPLORER [--programs N] [--seed S] [--file PROGRAM] [--keep DIR]

An enumerator of its own: it has its own machine for the programs of README.md, walks through all
interleavings, and puts two of them into one class if they order all conflicting operations alike
(value schedules), or if every read has the same source and synchronisation is ordered alike
(reads-from). It shares no code with the search. EXPLORER is the program explore_program.
"""

import argparse
import os
import random
import subprocess
import sys

BLOCKING = {"lock", "rdlock", "wake", "semwait", "depart", "latchwait", "oncebegin", "resume", "join"}


class Thread:
    def __init__(self, number, code):
        self.number = number
        self.code = code
        self.at = 0
        self.registers = {}
        self.phase = 0  # 1: in the middle of a wait or a barrier
        self.started = False
        self.ended = False
        self.failure = None
        self.count = 0

    def copy(self):
        other = Thread(self.number, self.code)
        other.__dict__.update(self.__dict__)
        other.registers = dict(self.registers)
        return other


def parse(text):
    threads, memory, current = {0: []}, {}, 0
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "thread":
            current = int(words[1])
            threads.setdefault(current, [])
        elif words[0] == "init":
            memory[int(words[1])] = int(words[2])
        else:
            threads[current].append(words)
    return threads, memory


class World:
    """One state of the program. `objects` has the state of everything but memory."""

    def __init__(self, text=None):
        if text is None:
            return
        codes, memory = parse(text)
        self.threads = {n: Thread(n, code) for n, code in codes.items()}
        self.memory = memory
        self.objects = {}
        self.freed = set()
        self.failed = None
        self.start(0)

    def copy(self):
        other = World()
        other.threads = {n: t.copy() for n, t in self.threads.items()}
        other.memory = dict(self.memory)
        other.objects = {k: (v.copy() if hasattr(v, "copy") else v) for k, v in self.objects.items()}
        other.freed = set(self.freed)
        other.failed = self.failed
        return other

    def start(self, number):
        self.threads[number].started = True
        self.local(self.threads[number])

    def value(self, thread, word):
        return sum(
            thread.registers.get(part, 0) if part[0] == "r" else int(part)
            for part in word.split("+"))

    def local(self, thread):
        tests = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b}
        while thread.at < len(thread.code):
            name, *words = thread.code[thread.at]
            if name == "set":
                thread.registers[words[0]] = self.value(thread, words[1])
            elif name == "mod":
                thread.registers[words[0]] = self.value(thread, words[1]) % self.value(thread, words[2])
            elif name == "mul":
                thread.registers[words[0]] = self.value(thread, words[1]) * self.value(thread, words[2])
            elif name == "if":
                if not tests[words[1]](self.value(thread, words[0]), self.value(thread, words[2])):
                    thread.at += int(words[3])
            elif name == "back":
                thread.at -= int(words[0])
                continue
            elif name == "assert":
                if not tests[words[1]](self.value(thread, words[0]), self.value(thread, words[2])):
                    thread.failure = f"assert {thread.number} {thread.at}"
                    return
            else:
                return
            thread.at += 1

    # -- what can happen

    def next(self, thread):
        """Name and words of the next visible operation, or None."""
        if not thread.started or thread.ended or self.failed:
            return None
        if thread.failure:
            return "fail", []
        if thread.at >= len(thread.code):
            return "exit", []
        name, *words = thread.code[thread.at]
        if thread.phase == 1:
            return {"wait": "wake", "wwait": "resume"}.get(name, "depart"), words
        return name, words

    def holder(self, lock):
        return self.objects.setdefault(("lock", lock), {"owner": False, "readers": 0})

    def level(self, kind, name, first):
        return self.objects.get((kind, name), first)

    def can(self, thread, name, words):
        if name not in BLOCKING:
            return True
        key = words[0] if name != "oncebegin" else words[1]
        if name == "lock":
            state = self.holder(key)
            return not state["owner"] and state["readers"] == 0
        if name == "rdlock":
            return not self.holder(key)["owner"]
        if name == "wake":
            state = self.holder(words[1])
            woken = thread.number in self.objects.get(("woken", key), set())
            return woken and not state["owner"] and state["readers"] == 0
        if name == "resume":
            return thread.number in self.objects.get(("woken", key), set())
        if name == "semwait":
            return self.level("sem", key, int(words[1])) > 0
        if name == "depart":
            expected = int(words[1])
            mine = self.objects[("round", key, thread.number)]
            return self.level("barrier", key, 0) >= (mine + 1) * expected
        if name == "latchwait":
            return self.level("latch", key, int(words[1])) <= 0
        if name == "oncebegin":
            return self.level("once", key, 0) != 1
        return self.threads[int(key)].ended

    def steps(self):
        """All (thread, choice) that can be taken."""
        for number in sorted(self.threads):
            thread = self.threads[number]
            operation = self.next(thread)
            if operation is None or not self.can(thread, *operation):
                continue
            name, words = operation
            choices = 1
            if name in ("notify_one", "wwake_one"):
                choices = max(1, len(self.objects.get(("waiting", words[0]), ())))
            for choice in range(choices):
                yield number, choice

    # -- what happens: returns the accesses (object, mode), mode "r", "w", "u" (both) or "a"

    def take(self, number, choice):
        thread = self.threads[number]
        name, words = self.next(thread)
        thread.count += 1
        if name == "fail":
            self.failed = thread.failure
            return name, []
        if name == "exit":
            thread.ended = True
            return name, [(("thread", number), "w")]
        accesses = self.effect(thread, name, words, choice)
        if thread.failure:
            return name, accesses
        sleeps = name == "wwait" and len(accesses) == 2
        if name in ("wait", "barrier", "gate") or sleeps:
            thread.phase = 1
            return name, accesses
        thread.phase = 0
        thread.at += 1
        self.local(thread)
        if name == "spawn":
            self.start(int(words[0]))
        return name, accesses

    def effect(self, thread, name, words, choice):
        if name in ("read", "write", "add", "cas", "free"):
            return self.data(thread, name, words)
        registers = thread.registers
        if name in ("lock", "unlock"):
            self.holder(words[0])["owner"] = name == "lock"
            return [(("lock", words[0]), "w")]
        if name in ("rdlock", "rdunlock"):
            self.holder(words[0])["readers"] += 1 if name == "rdlock" else -1
            return [(("lock", words[0]), "a")]
        if name == "trylock":
            state = self.holder(words[1])
            registers[words[0]] = int(not state["owner"] and state["readers"] == 0)
            if registers[words[0]]:
                state["owner"] = True
            return [(("lock", words[1]), "w" if registers[words[0]] else "r")]
        if name == "tryrdlock":
            state = self.holder(words[1])
            registers[words[0]] = int(not state["owner"])
            state["readers"] += registers[words[0]]
            return [(("lock", words[1]), "a" if registers[words[0]] else "r")]
        if name == "wait":
            self.holder(words[1])["owner"] = False
            self.objects.setdefault(("waiting", words[0]), set()).add(thread.number)
            return [(("lock", words[1]), "w"), (("cond", words[0]), "a")]
        if name == "wake":
            self.holder(words[1])["owner"] = True
            self.objects[("woken", words[0])].discard(thread.number)
            return [(("lock", words[1]), "w"), (("token", words[0], thread.number), "r")]
        if name in ("notify_one", "notify_all", "wwake_one", "wwake_all"):
            waiting = self.objects.setdefault(("waiting", words[0]), set())
            if not waiting:
                return [(("cond", words[0]), "r")]
            taken = sorted(waiting) if name.endswith("_all") else [sorted(waiting)[choice]]
            waiting.difference_update(taken)
            self.objects.setdefault(("woken", words[0]), set()).update(taken)
            return [(("cond", words[0]), "w")] + [(("token", words[0], t), "w") for t in taken]
        if name in ("wload", "wstore", "wadd", "wcas", "wwait"):
            return self.word(thread, name, words)
        if name == "resume":
            self.objects[("woken", words[0])].discard(thread.number)
            return [(("token", words[0], thread.number), "r")]
        if name in ("semwait", "sempost"):
            level = self.level("sem", words[0], int(words[1]))
            self.objects[("sem", words[0])] = level + (1 if name == "sempost" else -1)
            return [(("sem", words[0]), "a" if name == "sempost" else "w")]
        if name == "semtry":
            level = self.level("sem", words[1], int(words[2]))
            registers[words[0]] = int(level > 0)
            self.objects[("sem", words[1])] = level - registers[words[0]]
            return [(("sem", words[1]), "w" if registers[words[0]] else "r")]
        if name in ("barrier", "gate"):
            arrived = self.level("barrier", words[0], 0) + 1
            self.objects[("barrier", words[0])] = arrived
            expected = int(words[1])
            mine = (arrived - 1) // expected
            self.objects[("round", words[0], thread.number)] = mine
            if name == "gate":
                return [(("round", words[0], mine), "a")]
            return [(("barrier", words[0]), "w"), (("round", words[0], mine), "w")]
        if name == "depart":
            return [(("round", words[0], self.objects[("round", words[0], thread.number)]), "r")]
        if name == "countdown":
            self.objects[("latch", words[0])] = self.level("latch", words[0], int(words[1])) - 1
            return [(("latch", words[0]), "a")]
        if name == "latchwait":
            return [(("latch", words[0]), "r")]
        if name == "oncebegin":
            done = self.level("once", words[1], 0) == 2
            registers[words[0]] = int(not done)
            self.objects[("once", words[1])] = 2 if done else 1
            return [(("once", words[1]), "r" if done else "w")]
        if name == "onceend":
            self.objects[("once", words[0])] = 2
            return [(("once", words[0]), "w"), (("done", words[0]), "w")]
        if name == "onceabandon":
            self.objects[("once", words[0])] = 0
            return [(("once", words[0]), "w")]
        if name == "oncecheck":
            registers[words[0]] = int(self.level("once", words[1], 0) == 2)
            return [(("done", words[1]), "r")]
        if name == "spawn":
            return [(("thread", int(words[0])), "w")]
        if name == "join":
            return [(("thread", int(words[0])), "r")]
        raise ValueError(name)

    def word(self, thread, name, words):
        """Operations on a word that threads can wait for."""
        named = name in ("wload", "wadd", "wcas")
        key, rest = words[named], [self.value(thread, w) for w in words[1 + named:]]
        old = self.level("word", key, 0)
        if name == "wload":
            thread.registers[words[0]] = old
            return [(("word", key), "r")]
        if name == "wwait":
            if old != rest[0]:
                return [(("word", key), "r")]
            self.objects.setdefault(("waiting", key), set()).add(thread.number)
            return [(("word", key), "r"), (("cond", key), "a")]
        if name == "wcas":
            thread.registers[words[0]] = int(old == rest[0])
            if old != rest[0]:
                return [(("word", key), "r")]
        elif name == "wadd":
            thread.registers[words[0]] = old
        self.objects[("word", key)] = {"wstore": rest[0], "wadd": old + rest[0], "wcas": rest[-1]}[name]
        return [(("word", key), "w")]

    def data(self, thread, name, words):
        shape = {"read": 3, "write": 3, "add": 4, "cas": 5, "free": 0}[name]
        block = words[shape] if len(words) > shape else None
        life = [] if block is None else [(("life", block), "u" if name == "free" else "r")]
        at = 0 if name == "write" else 1
        address = size = old = 0
        if name != "free":
            address, size = self.value(thread, words[at]), int(words[at + 1])
            old = sum(self.memory.get(address + i, 0) << 8 * i for i in range(size))
        mode, new = "r", None
        if name == "write":
            mode, new = "w", self.value(thread, words[2])
        elif name == "add":
            mode, new = "u", old + self.value(thread, words[3])
        elif name == "cas" and old == self.value(thread, words[3]):
            mode, new = "u", self.value(thread, words[4])
        accesses = [(("byte", address + i), mode) for i in range(size)] + life
        if block is not None and block in self.freed:
            thread.failure = f"use after free {thread.number} {thread.at}"
            return accesses
        if name == "free":
            self.freed.add(block)
        elif name == "cas":
            thread.registers[words[0]] = int(new is not None)
        elif name != "write":
            thread.registers[words[0]] = old
        if new is not None:
            for i in range(size):
                self.memory[address + i] = new >> 8 * i & 255
        return accesses


def conflict(a, b):
    if a == b:
        return a in "wu"
    return True


class Enumeration:
    def __init__(self, text, limit):
        self.limit = limit
        self.schedules, self.reads_from, self.failures = set(), set(), set()
        self.seen = set()
        self.explored = 0
        self.walk(World(text), {}, ())

    def walk(self, world, history, trace):
        """`history`: object to its accesses so far; `trace`: the pieces that make up both classes."""
        stack = [(world, history, frozenset(), frozenset())]
        while stack:
            world, history, value, reads = stack.pop()
            self.explored += 1
            if self.explored > self.limit:
                raise OverflowError
            steps = list(world.steps())
            if not steps or world.failed:
                self.end(world, value, reads)
                continue
            for step in steps:
                successor = self.after(world, history, value, reads, step)
                if successor[2] not in self.seen:
                    self.seen.add(successor[2])
                    stack.append(successor)

    def after(self, world, history, value, reads, step):
        number, choice = step
        world = world.copy()
        name = (number, world.threads[number].count)
        kind, accesses = world.take(number, choice)
        history = dict(history)
        all_before, sync_before, sources = set(), set(), []
        for item, mode in accesses:
            past = history.get(item, ())
            before = {other for other, how in past if conflict(how, mode)}
            all_before |= before
            if item[0] not in ("byte", "life"):
                sync_before |= before
            elif mode in "ru":
                writers = [other for other, how in past if how in "wu"]
                sources.append((item, writers[-1] if writers else None))
            history[item] = past + ((name, mode),)
        label = (name, kind, choice)
        value = value | {(label, frozenset(all_before))}
        reads = reads | {(label, frozenset(sync_before), tuple(sources))}
        return world, history, value, reads

    def end(self, world, value, reads):
        self.schedules.add(value)
        self.reads_from.add(reads)
        alive = any(t.started and not t.ended for t in world.threads.values())
        if world.failed:
            self.failures.add(world.failed)
        elif alive:
            self.failures.add("deadlock")


# -- programs

class Generator:
    """A program of 2 to 4 threads with at most so many relevant operations."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.flavours = self.random.sample(
            ["data", "data", "ranges", "update", "cas", "lock", "try", "shared", "wait", "semaphore",
             "free", "barrier", "latch", "once", "word", "check"], self.random.randint(1, 3))
        self.left = self.random.randint(5, 12)

    def access(self):
        pick = self.random
        if "ranges" in self.flavours:
            size = pick.choice([1, 2, 2])
            return 100 + pick.randint(0, 2), size
        return 100 + 4 * pick.randint(0, 1), 1

    def one(self):
        """One or a few instructions, and how many relevant operations they are."""
        pick = self.random
        flavour = pick.choice(self.flavours)
        address, size = self.access()
        value = pick.randint(1, 2)
        block = ""
        if flavour == "free":
            if pick.random() < 0.3:
                return ["free 7"], 1
            block, address, size = " 7", 200, 1
        if flavour == "update":
            return [f"add r{pick.randint(0, 1)} {address} {size} 1"], 1
        if flavour == "cas":
            return [f"cas r{pick.randint(0, 1)} {address} {size} {pick.randint(0, 1)} {value}"], 1
        if flavour == "lock":
            lock = pick.randint(1, 2)
            inner, count = self.inner()
            return [f"lock {lock}", *inner, f"unlock {lock}"], count + 1
        if flavour == "try":
            inner, count = self.inner()
            kind = pick.choice(["trylock", "lock"])
            if kind == "lock":
                return ["lock 1", *inner, "unlock 1"], count + 1
            return ["trylock r3 1", f"if r3 == 1 {len(inner) + 1}", *inner, "unlock 1"], count + 2
        if flavour == "shared":
            inner, count = self.inner()
            kind = pick.choice(["rdlock", "rdlock", "lock", "tryrdlock"])
            if kind == "tryrdlock":
                return ["tryrdlock r3 5", f"if r3 == 1 {len(inner) + 1}", *inner, "rdunlock 5"], count + 2
            end = "unlock" if kind == "lock" else "rdunlock"
            return [f"{kind} 5", *inner, f"{end} 5"], count + 1
        if flavour == "wait":
            kind = pick.choice(["wait", "wait", "notify_one", "notify_all", "locked"])
            if kind == "wait":
                return ["lock 6", "wait 61 6", "unlock 6"], 3
            if kind == "locked":
                return ["lock 6", pick.choice(["notify_one 61", "notify_all 61"]), "unlock 6"], 2
            return [f"{kind} 61"], 1
        if flavour == "semaphore":
            kind = pick.choice(["semwait 62 1", "sempost 62 1", "sempost 62 1", "semtry r2 62 1"])
            return [kind], 1
        if flavour == "barrier":
            return [pick.choice(["barrier 63 2", "gate 66 2"])], 2
        if flavour == "word":
            return self.on_word()
        if flavour == "check":
            inner, count = self.inner()
            end = pick.choice(["onceend", "onceend", "onceabandon"])
            rest = ["oncebegin r4 67", f"if r4 == 1 {len(inner) + 1}", *inner, f"{end} 67"]
            return ["oncecheck r4 67", f"if r4 == 0 {len(rest)}", *rest], count + 3
        if flavour == "latch":
            return [pick.choice(["countdown 64 2", "latchwait 64 2"])], 1
        if flavour == "once":
            inner, count = self.inner()
            return ["oncebegin r4 65", f"if r4 == 1 {len(inner) + 1}", *inner, "onceend 65"], count + 2
        if pick.random() < 0.5:
            return [f"read r{pick.randint(0, 1)} {address} {size}{block}"], 1
        word = pick.choice([str(value), f"r{pick.randint(0, 1)}+1"])
        return [f"write {address} {size} {word}{block}"], 1

    def on_word(self):
        pick = self.random
        kind = pick.choice(["wait", "wait", "loop", "set", "wake", "other"])
        if kind == "wait":
            return [f"wwait 68 {pick.randint(0, 1)}"], 2
        if kind == "loop":
            return ["wload r2 68", "if r2 == 0 2", "wwait 68 0", "back 3"], 3
        if kind == "set":
            return [f"wstore 68 {pick.randint(1, 2)}", pick.choice(["wwake_one 68", "wwake_all 68"])], 2
        if kind == "wake":
            return [pick.choice(["wwake_one 68", "wwake_all 68"])], 1
        return [pick.choice(["wadd r1 68 1", "wcas r1 68 0 1", "wload r1 68"])], 1

    def inner(self):
        if self.random.random() < 0.5:
            return [], 0
        address, size = self.access()
        if self.random.random() < 0.5:
            return [f"read r0 {address} {size}"], 1
        return [f"write {address} {size} 1"], 1

    def thread(self, share):
        code = []
        while share > 0 and self.left > 0:
            lines, count = self.one()
            if count > self.left:
                break
            if self.random.random() < 0.15:
                code += [f"if r0 == {self.random.randint(0, 1)} {len(lines)}"]
            code += lines
            share -= count
            self.left -= count
            if self.random.random() < 0.06:
                code.append(f"assert r0 != {self.random.randint(1, 2)}")
        return code

    def program(self):
        count = self.random.randint(2, 4)
        share = self.left // count + 1
        lines = []
        nested = count >= 3 and self.random.random() < 0.3
        spawned = [n for n in range(1, count + 1) if not (nested and n == count)]
        lines += ["thread 0"] + [f"spawn {n}" for n in spawned]
        if self.random.random() < 0.3:
            lines += self.thread(2)
        lines += [f"join {n}" for n in spawned]
        if self.random.random() < 0.4:
            lines += ["read r5 100 1"]
            if self.random.random() < 0.5:
                lines += ["assert r5 != 1"]
        for number in range(1, count + 1):
            lines.append(f"thread {number}")
            if nested and number == 1:
                lines.append(f"spawn {count}")
            lines += self.thread(share)
        text = "\n".join(lines) + "\n"
        users = sum("gate" in code for code in text.split("thread"))
        return text if users <= 2 else text.replace("gate", "barrier")


def search(explorer, text, *arguments):
    result = subprocess.run([explorer, *arguments], input=text, text=True,
                            capture_output=True, timeout=300, check=True)
    lines = result.stdout.splitlines()
    words = lines[0].split()
    numbers = dict(zip(words[::2], map(int, words[1::2])))
    failures = {line.removeprefix("failure ") for line in lines[1:]}
    return numbers, failures


def differences(explorer, text, limit, totals):
    own = Enumeration(text, limit)
    found = []
    ways = [(own.schedules, "--equivalence=value-schedules"),
            (own.reads_from, "--equivalence=reads-from"),
            (own.reads_from, "--equivalence=reads-from", "--priorities"),
            (own.schedules, "--algorithm=source-dpor")]
    for classes, *arguments in ways:
        way = " ".join(arguments)
        numbers, failures = search(explorer, text, *arguments)
        count = totals.setdefault(way, [0, 0])
        count[0] += len(classes)
        count[1] += numbers["abandoned"]
        if numbers["classes"] != len(classes) or numbers["complete"] != len(classes) or \
           numbers["duplicates"]:
            found.append(f"{way}: {len(classes)} classes, the search says {numbers}")
        if failures != own.failures:
            found.append(f"{way}: failures {own.failures}, the search says {failures}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("explorer")
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=40000, help="states per program")
    parser.add_argument("--file", help="compare on this program")
    parser.add_argument("--keep", help="folder for programs that differ")
    options = parser.parse_args()
    totals = {}
    if options.file:
        with open(options.file, encoding="utf-8") as file:
            found = differences(options.explorer, file.read(), 10**7, totals)
        print(*found or ["equal"], totals, sep="\n")
        return 1 if found else 0
    wrong = done = 0
    seed = options.seed
    while done < options.programs:
        text = Generator(seed).program()
        seed += 1
        try:
            found = differences(options.explorer, text, options.limit, totals)
        except OverflowError:
            continue
        done += 1
        if found:
            wrong += 1
            print(f"seed {seed - 1}:", *found, sep="\n  ", flush=True)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"{seed - 1}.txt"), "w", encoding="utf-8") as file:
                    file.write(text)
    for way, (classes, abandoned) in totals.items():
        print(f"{way}: {classes} classes, {abandoned} runs abandoned")
    print(f"{done} programs, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
