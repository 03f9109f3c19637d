#!/usr/bin/env python3
"""What the text report tells of a bug: the accesses that meet, which came first, what was missed."""

import os
import pty
import struct
import subprocess
import termios
import unittest
from fcntl import ioctl

from workshop import PROGRAMS, Workshop


def line_of(program, text):
    """The line of a program with this text in it."""
    lines = (PROGRAMS / "story" / program).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


class Story(Workshop):
    def check(self, program, *words, code=2, flags=("-std=c++20", "-O1"), **settings):
        c = program.endswith(".c")
        built = self.build(f"story/{program}", flags=("-O1",) if c else flags,
                           compiler="heddle-cc" if c else "heddle-c++")
        return self.heddle("check", self.seconds(15), *words, built, code=code, **settings).stdout

    def table(self, text):
        """The rows of the first table."""
        rows = text.split("Interleaving (", 1)[1].split("\n\n", 1)[0].splitlines()[1:]
        return [row for row in rows if not row.strip().startswith("step")]

    def headline(self, text):
        return next(line for line in text.splitlines() if "[heddle-" in line)


class Races(Story):
    def test_the_accesses_that_meet_are_the_last_rows(self):
        text = self.check("timed_start.cpp")
        rows = self.table(text)
        self.assertIn("read price = 0", rows[-2])
        self.assertIn(f"timed_start.cpp:{line_of('timed_start.cpp', '// the read')}:", rows[-2])
        self.assertIn("about to write price", rows[-1])
        self.assertIn(f"timed_start.cpp:{line_of('timed_start.cpp', '// the write')}:", rows[-1])
        self.assertIn("1 preemption ", text)
        self.assertTrue(any(row.strip().startswith(">>") for row in rows), text)

    def test_the_access_that_came_first_is_the_previous_one(self):
        text = self.check("timed_start.cpp")
        self.assertIn("Previous read of size 4 of price by main thread", text)

    def test_the_headline_is_in_the_program(self):
        text = self.check("left_behind.cpp", "--runs=2000")
        self.assertRegex(self.headline(text), r"^\S*left_behind\.cpp:\d+:\d+: warning: data race")
        # The read may lie before what main does up to the free: each access stands where it happened.
        rows = self.table(text)
        self.assertIn("free", rows[-1])
        place = f"left_behind.cpp:{line_of('left_behind.cpp', '// the read')}:"
        self.assertTrue(any("read names" in row and place in row for row in rows), text)

    def test_volatile_orders_nothing(self):
        text = self.check("volatile_ready.c", "--runs=2000")
        self.assertIn("ready is volatile, which orders nothing between threads", text)

    def test_rounds_are_folded(self):
        text = self.check("many_rounds.cpp", "--runs=500")
        folded = [row for row in self.table(text) if "×" in row]
        for row in folded:
            self.assertRegex(row, r"lock noise … unlock noise × [\d,]+")
        self.assertLess(len(self.table(text)), 40, text)

    def test_a_race_that_the_library_is_known_for(self):
        text = self.check("two_patterns.cpp", "--runs=200", code=0)
        self.assertNotIn("[heddle-data-race]", text)
        self.assertIn("show_bug.cgi?id=77704", text)
        text = self.heddle("check", "--runs=200", "--no-known", "./program", code=2).stdout
        self.assertIn("[heddle-data-race]", text)


class Causes(Story):
    """Functions that put locked steps together are units when a failure has to be explained."""

    def cause(self, *flags):
        text = self.check("composed_steps.cpp", flags=("-std=c++20", "-O1", *flags))
        self.assertIn("[heddle-atomicity-violation]", self.headline(text))
        self.assertIn("it leads to: ", self.headline(text))
        return self.headline(text)

    def test_a_class_that_only_knows_the_object(self):
        self.assertIn("Desk::sell", self.cause("-DDESK"))

    def test_the_body_of_a_thread(self):
        self.assertIn("operator()", self.cause())


class OneBug(Story):
    def test_a_race_and_the_use_after_free_that_it_leads_to_are_one_finding(self):
        built = self.build("story/freed_while_read.cpp", flags=("-std=c++20", "-O1"))
        for seed in range(1, 4):
            report = self.report("check", self.seconds(10), f"--seed={seed}", built, code=2)
            finding, = report["findings"]
            self.assertEqual(finding["status"], "harmful")
            self.assertEqual((finding["failure"] or {}).get("kind"), "memory-error")
        self.heddle("replay", finding["id"], code=2)

    def test_what_is_part_of_another_finding_is_not_stored(self):
        built = self.build("story/freed_while_read.cpp", flags=("-std=c++20", "-O1"))
        finding, = self.report("check", self.seconds(10), built, code=2)["findings"]
        stored = self.report("report", code=2)["findings"]
        self.assertEqual([one["id"] for one in stored], [finding["id"]])


class Time(Story):
    def test_what_only_sleeps_order_is_found_and_said_to_need_time(self):
        text = self.check("late_report.cpp")
        self.assertIn("heap-use-after-free", self.headline(text))
        self.assertIn("note: needs --time=any", text)
        found = next(word for word in text.split() if word.startswith("H-"))
        self.heddle("replay", "--times=20", found, code=2)

    def test_a_limit_of_seconds_is_not_reached(self):
        (self.folder / "patient.cpp").write_text("""#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
int main() {
  std::mutex m; std::condition_variable c; bool done = false;
  std::thread t([&] { std::lock_guard<std::mutex> g(m); done = true; c.notify_one(); });
  std::unique_lock<std::mutex> l(m);
  if (!c.wait_for(l, std::chrono::seconds(5), [&] { return done; }))
    std::abort();
  l.unlock();
  t.join();
}
""")
        built = self.build("patient.cpp", flags=("-std=c++20", "-O1"))
        self.heddle("check", self.seconds(4), built)


class Deadlocks(Story):
    def test_a_notification_that_came_too_early(self):
        text = self.check("early_notify.cpp")
        headline = self.headline(text)
        wait = line_of("early_notify.cpp", "// the wait")
        self.assertRegex(headline, rf"early_notify\.cpp:{wait}:\d+: warning: missed wake-up: T0 waits")
        for place in ("// the look", "// the notification"):
            self.assertIn(f"(early_notify.cpp:{line_of('early_notify.cpp', place)})", headline)
        self.assertIn("Countdown::left_ = 1", headline)

    def test_a_notification_that_woke_the_wrong_thread(self):
        headline = self.headline(self.check("wrong_one_woken.c"))
        self.assertIn("missed wake-up: ", headline)
        self.assertRegex(headline, r"which woke T\d; that one could not use it and waits again")

    def test_a_thread_that_nobody_notifies_has_missed_nothing(self):
        self.assertIn("warning: deadlock: T2 waits for condition variable changed",
                      self.headline(self.check("idle_worker.cpp")))


class Terminals(Story):
    def at_a_terminal(self, columns, *words):
        controller, terminal = pty.openpty()
        self.addCleanup(os.close, controller)
        ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen([str(self.bin / "heddle"), *words], cwd=self.folder,
                                   env={**self.environment, "NO_COLOR": "1"}, stdout=terminal,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(terminal)
        text = b""
        while True:
            try:
                part = os.read(controller, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
        process.wait()
        return text.decode("utf-8").replace("\r\n", "\n")

    def test_the_table_fits(self):
        program = self.build("story/wrong_one_woken.c", flags=("-O1",), compiler="heddle-cc")
        self.heddle("check", self.seconds(15), program, code=2)
        found = self.report("report", code=2)["findings"][0]["id"]
        for columns in (80, 110, 160):
            text = self.at_a_terminal(columns, "report", found)
            widest = max(len(row) for row in self.table(text))
            self.assertLessEqual(widest, columns, text)
        wide = self.heddle("report", found, environment={"COLUMNS": "100"}, code=2).stdout
        self.assertLessEqual(max(len(row) for row in self.table(wide)), 100)


if __name__ == "__main__":
    unittest.main()
