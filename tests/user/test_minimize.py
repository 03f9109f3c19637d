#!/usr/bin/env python3
"""The schedule of a finding has few preemptions, and heddle minimize looks for fewer."""

import shutil
import signal
import time
import unittest

from workshop import Workshop, busyness

# Each thread makes many steps that do not matter, and one update that can get lost.
LONG_COUNTER = """
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> counter{0}, steps{0};
void count() {
  for (int i = 0; i < 40; ++i)
    ++steps;
  int seen = counter;
  counter = seen + 1;
  for (int i = 0; i < 40; ++i)
    ++steps;
}
int main() {
  std::thread a(count), b(count), c(count);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
"""

# Nothing is torn here: one thread is late, and the other one does not wait for it.
LATE_TABLE = """
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int*> table{nullptr};
std::atomic<int> steps{0};
int main() {
  int values[4] = {};
  std::thread maker([&] { for (int i = 0; i < 40; ++i) ++steps; table = values; });
  std::thread user([] { for (int i = 0; i < 40; ++i) ++steps; assert(table != nullptr); });
  maker.join();
  user.join();
}
"""

# Only the value of a progress display depends on who comes first.
HARMLESS = """
#include <thread>
int progress = 0;
int main() {
  std::thread a([] { progress = 1; }), b([] { progress = 2; });
  a.join();
  b.join();
}
"""

# A consumer that polls, and a worker that is asked before it is there.
SPINNING = """
#include <atomic>
#include <cassert>
#include <sched.h>
#include <thread>
std::atomic<bool> ready{false}, stop{false};
std::atomic<int> value{0};
int main() {
  std::thread setter([] { ready = true; value = 1; });
  std::thread poller([] { while (!ready) {} assert(value == 1); });
  setter.join();
  poller.join();
}
"""


class Minimize(Workshop):
    def build_text(self, text, name="program"):
        (self.folder / f"{name}.cpp").write_text(text)
        return self.build(f"{name}.cpp", flags=["-O1"], output=name)

    def replays(self, finding, *options):
        """The stored schedule is followed exactly, whatever a run is."""
        for isolation in ("exec", "fork", "inplace"):
            report = self.report("replay", "--times", "10", "--isolation", isolation, *options,
                                 finding["id"], code=2)
            self.assertEqual(report["runs"], 10)
            self.assertEqual(report["trace_digest"], finding["trace_digest"])

    def test_a_check_shows_the_schedule_with_few_preemptions(self):
        program = self.build_text(LONG_COUNTER)
        finding = self.finding("--strategy", "random", program)
        self.assertEqual(finding["preemptions"], 1)
        self.assertLessEqual(finding["context_switches"], 6)
        self.assertGreater(finding["minimized_from"]["preemptions"], 10)
        self.assertLessEqual(sum(step["switched"] for step in finding["steps"]), 3)
        self.replays(finding)

    def test_the_report_says_so(self):
        program = self.build_text(LONG_COUNTER)
        text = self.heddle("check", "--strategy", "random", program, code=2).stdout
        self.assertRegex(text, r"this schedule has 1 preemption and \d context switches; the run "
                               r"that was found had \d+ and \d+")
        self.assertRegex(text, r"confirming and judging: \d+ more runs, \d+ of them to make schedules shorter")

    def test_the_runs_of_a_check_stay_what_they_were(self):
        program = self.build_text(LONG_COUNTER)
        minimized = self.report("check", program, code=2)
        plain = self.report("check", "--no-minimize", "--store", "plain", program, code=2)
        self.assertEqual(minimized["runs"], plain["runs"])
        self.assertEqual(minimized["findings"][0]["run"], plain["findings"][0]["run"])
        self.assertEqual(minimized["findings"][0]["id"], plain["findings"][0]["id"])
        self.assertGreater(minimized["minimizing_runs"], 0)
        self.assertEqual(plain["minimizing_runs"], 0)
        self.assertNotIn("minimized_from", plain["findings"][0])

    def test_a_stored_finding_is_minimised_and_replaced(self):
        program = self.build_text(LATE_TABLE)
        found = self.finding("--no-minimize", "--strategy", "random", program)
        shutil.copytree(self.folder / ".heddle", self.folder / "copy")
        text = self.heddle("minimize", found["id"], code=2).stdout
        self.assertIn(f"preemptions: {found['preemptions']} before, 1 after", text)
        self.assertRegex(text, r"context switches: \d+ before, \d after")
        self.assertIn(f"replay: heddle replay {found['id']}", text)
        stored = self.report("report", found["id"], code=2)["findings"][0]
        self.assertEqual(stored["preemptions"], 1)
        self.assertEqual(stored["minimized_from"]["preemptions"], found["preemptions"])
        self.assertEqual(stored["run"], found["run"])
        self.assertLess(len(stored["schedule"]), len(found["schedule"]))
        self.replays(stored)
        # The same input gives the same result.
        self.heddle("minimize", "--store", "copy", found["id"], code=2)
        again = self.report("report", "--store", "copy", found["id"], code=2)["findings"][0]
        self.assertEqual(again["schedule"], stored["schedule"])

    def test_a_race_that_breaks_nothing_is_still_triggered(self):
        program = self.build_text(HARMLESS)
        for command in (["races"], ["races", "--no-minimize", "--store", "plain"]):
            report = self.report(*command, program, code=2)
            finding = report["findings"][0]
            self.assertEqual((finding["kind"], finding["status"]), ("data-race", "confirmed"))
        self.assertGreater(finding["preemptions"], 1)
        report = self.report("minimize", "--store", "plain", finding["id"], code=2)
        minimized = report["findings"][0]
        self.assertEqual(minimized["preemptions"], 1)
        self.assertEqual([site["thread"] for site in minimized["sites"]],
                         [site["thread"] for site in finding["sites"]])
        self.assertEqual(minimized["orders"], finding["orders"])
        self.assertEqual(minimized["probability"], finding["probability"])
        self.replays(minimized, "--store", "plain")

    def test_threads_that_spin_are_no_obstacle(self):
        program = self.build_text(SPINNING)
        finding = self.finding("--strategy", "random", program)
        self.assertLessEqual(finding["preemptions"], 2)
        self.replays(finding)

    def test_a_changed_program_is_lost_control(self):
        program = self.build_text(LONG_COUNTER)
        found = self.finding("--no-minimize", program)
        self.build_text(LONG_COUNTER.replace("i < 40", "i < 4"))
        done = self.heddle("minimize", found["id"], code=4)
        self.assertIn("was built anew since the run was recorded", done.stderr)
        self.assertIn("the recorded schedule no longer fits it: decision ", done.stderr)
        self.assertIn("they part at step ", done.stderr)
        stored = self.report("report", found["id"], code=2)["findings"][0]
        self.assertEqual(stored["schedule"], found["schedule"])

    def test_wrong_words_are_one_sentence(self):
        self.assertIn(".heddle", self.one_sentence("minimize", "H-12"))
        program = self.build_text(LONG_COUNTER)
        found = self.finding(program)
        self.assertIn("there is no finding H-ffff",
                      self.heddle("minimize", "H-ffff", code=1).stderr)
        self.assertIn("expected one finding", self.one_sentence("minimize"))
        self.assertIn("expected one finding", self.one_sentence("minimize", found["id"], program))

    def test_an_interrupt_keeps_what_was_gained(self):
        busy = 'int main() { for (long i = 0; i < 50\'000\'000; ++i) asm volatile("");'
        program = self.build_text(LONG_COUNTER.replace("int main() {", busy))
        found = self.finding("--no-minimize", "--strategy", "random", program)
        process = self.start("minimize", found["id"])
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20 * busyness())
        self.assertEqual(process.returncode, 130)
        self.assertIn("then interrupted", output)
        stored = self.report("report", found["id"], code=2)["findings"][0]
        self.assertLessEqual(stored["preemptions"], found["preemptions"])
        self.replays(stored)


if __name__ == "__main__":
    unittest.main()
